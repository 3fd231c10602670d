import { errors } from "./monitorConditions.js";
import { named } from "./trial.js";

const perPod = errors.from({ signalGrouping: { labelNames: ["region", "pod"] } });
const perSeries = errors.from({ signalGrouping: { labelNames: undefined, signalPerSeries: true } });
const inBucket = errors.from({ bucketSlug: "shop", collectionSlug: "shop-services" });
const inCollection = errors.from({ collection: { slug: "shop-services" } });

export const monitorRouting = [
  errors(
    "another team owns the monitor",
    { labels: { team: "platform" } },
    named("routing-changed", "unclear", "team", "checkout", "platform"),
  ),
  errors(
    "the label that a policy routes by is removed",
    { labels: { service: undefined } },
    named("routing-changed", ["unclear", "laxer"], "service"),
  ),
  errors("all labels are removed", { labels: undefined }, named("routing-changed", ["unclear", "laxer"], "team")),
  errors(
    "a label that silences is added",
    { labels: { mute: "true" } },
    named("routing-changed", ["unclear", "laxer"], "mute"),
  ),
  errors(
    "a label's key is spelt otherwise",
    { labels: { team: undefined, Team: "checkout" } },
    named("routing-changed", "unclear", "Team"),
  ),
  errors(
    "the alerts go to the low-priority policy",
    { notificationPolicySlug: "checkout-low" },
    named("routing-changed", "unclear", "checkout-primary", "checkout-low"),
  ),
  errors(
    "the monitor loses its notification policy",
    { notificationPolicySlug: undefined },
    named("routing-changed", ["unclear", "laxer"], "checkout-primary"),
  ),
  errors.from({ notificationPolicySlug: undefined })(
    "the monitor gets a policy of its own",
    { notificationPolicySlug: "checkout-primary" },
    named("routing-changed", "unclear", "checkout-primary"),
  ),
  inBucket(
    "the monitor moves to another bucket",
    { bucketSlug: "platform" },
    named("routing-changed", "unclear", "platform"),
  ),
  inBucket(
    "the monitor moves to another collection",
    { collectionSlug: "platform-services" },
    named("routing-changed", "unclear", "platform-services"),
  ),
  inCollection(
    "the monitor's collection is another one",
    { collection: { slug: "platform-services" } },
    named("routing-changed", "unclear", "platform-services"),
  ),
  perPod(
    "one signal per region in place of one per pod",
    { signalGrouping: { labelNames: ["region"] } },
    named("grouping-changed", "laxer", "pod"),
  ),
  errors(
    "one signal per pod in place of one per region",
    { signalGrouping: { labelNames: ["region", "pod"] } },
    named("grouping-changed", "stricter", "pod"),
  ),
  errors(
    "signals are grouped by cluster instead of region",
    { signalGrouping: { labelNames: ["cluster"] } },
    named("grouping-changed", "unclear", "region", "cluster"),
  ),
  errors("all regions are one signal", { signalGrouping: undefined }, named("grouping-changed", "laxer", "region")),
  perSeries(
    "all series are one signal",
    { signalGrouping: { signalPerSeries: false } },
    named("grouping-changed", "laxer"),
  ),
  perSeries(
    "one signal per region in place of one per series",
    { signalGrouping: { signalPerSeries: undefined, labelNames: ["region"] } },
    named("grouping-changed", "laxer", "region"),
  ),
  errors(
    "each series is a signal",
    { signalGrouping: { labelNames: undefined, signalPerSeries: true } },
    named("grouping-changed", "stricter"),
  ),
];
