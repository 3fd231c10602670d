import { errors } from "./monitorConditions.js";
import { any, edits, named } from "./trial.js";

const hook = edits("Notifier", { webhook: { url: "https://hooks.example.com/canary-lives" } });
const logs = edits("Dataset", {
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "ledger"' } } },
});
const slo = edits("SLO", {
  definition: { objective: 99.9 },
  sli: { customIndicator: { totalQueryTemplate: "sum(requests_total)", badQueryTemplate: "sum(errors_total)" } },
});
const rule = edits("TraceMetricsRule", {
  metricName: "ledger_latency",
  traceFilter: { span: [{ service: { match: "EXACT", value: "ledger" } }] },
});
const metric = edits("DerivedMetric", {
  metricName: "ledger:errors",
  queries: [{ query: { labelExpr: "sum(rate(ledger_errors_total[5m]))" } }],
});
const account = edits("CloudxMetricsIntegration", { principal: { clientId: "shop", tenantId: "shop-tenant" } });

const gone = named("removed", "laxer");
const stays = named("left-behind", any);

/** What the service is sent for a monitor that somebody made by hand. */
const byHand = {
  name: "made by hand",
  label_query: "sum(rate(http_errors_total[5m]))",
  series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.01 }] } } },
};
const declared = (value: number) => ({
  name: "made by hand",
  labelQuery: "sum(rate(http_errors_total[5m]))",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value }] } } },
});

export const lives = [
  errors.full("a monitor is removed", { before: {} }, {}, gone),
  hook.full("a notifier is removed", { before: {} }, {}, gone),
  slo.full("an SLO is removed", { before: {} }, {}, gone),
  logs.full("a dataset is removed", { before: {} }, {}, gone),
  rule.full("a trace metrics rule is removed", { before: {} }, {}, gone),
  metric.full("a derived metric is removed", { before: {} }, {}, gone),
  account.full("a cloud integration is removed", { before: {} }, {}, gone),
  errors.full(
    "a retained monitor is removed from the program",
    { before: { slug: "retained-errors" } },
    { optionsBefore: { retainOnDelete: true } },
    named("left-behind", any, "retained-errors"),
  ),
  hook.full("a retained notifier is removed", { before: {} }, { optionsBefore: { retainOnDelete: true } }, stays),
  errors.full(
    "a managed monitor is only read from now on",
    { before: { slug: "only-read-errors" }, after: { slug: "only-read-errors" } },
    { optionsAfter: { get: true } },
    named("left-behind", any, "only-read-errors"),
  ),
  hook.full(
    "a managed notifier is only read from now on",
    { before: { slug: "only-read-hook" }, after: { slug: "only-read-hook" } },
    { optionsAfter: { get: true } },
    named("left-behind", any),
  ),
  errors.full(
    "a monitor gets another slug",
    { before: { slug: "checkout-errs" }, after: { slug: "checkout-errors-v2" } },
    {},
    named("replaced", any, "checkout-errs", "checkout-errors-v2"),
  ),
  hook.full(
    "a notifier gets another slug, and policies still name the old one",
    { before: { slug: "pager-old" }, after: { slug: "pager-new" } },
    {},
    named("replaced", any, "pager-old"),
  ),
  slo.full(
    "an SLO gets another slug",
    { before: { slug: "ledger-slo-old" }, after: { slug: "ledger-slo-new" } },
    {},
    named("replaced", any, "ledger-slo-old"),
  ),
  ...[logs, rule, metric, account].map((edit) =>
    edit.full(
      "the object gets another slug, and others still name the old one",
      { before: { slug: "ledger-old" }, after: { slug: "ledger-new" } },
      {},
      named("replaced", any, "ledger-old"),
    ),
  ),
  errors.full(
    "a retained monitor gets another slug, so that two of them fire",
    { before: { slug: "twice-old" }, after: { slug: "twice-new" } },
    { optionsBefore: { retainOnDelete: true }, optionsAfter: { retainOnDelete: true } },
    named("left-behind", any, "twice-old"),
  ),
  edits("Monitor", declared(0.05)).full(
    "a monitor that was made by hand is taken over and made laxer",
    { after: { slug: "by-hand-laxer" } },
    { optionsAfter: { adopt: true }, byHand: { ...byHand, slug: "by-hand-laxer" } },
    named("adopts", any),
  ),
  // Means nothing: the object stays what it is.
  edits("Monitor", declared(0.01)).full(
    "a monitor that was made by hand is taken over as it is",
    { after: { slug: "by-hand-same" } },
    { optionsAfter: { adopt: "identical" }, byHand: { ...byHand, slug: "by-hand-same" } },
  ),
  errors.full("a monitor is created", { after: {} }, {}),
  slo.full("an SLO is created", { after: {} }, {}),
  errors.full(
    "a monitor is renamed in the program, with an alias",
    {
      before: { name: "Checkout errors", slug: "renamed-errors" },
      after: { name: "Checkout errors", slug: "renamed-errors" },
    },
    { optionsAfter: { isRenamed: true } },
  ),
  errors.full(
    "a monitor is renamed with an alias, and its threshold is raised on the way",
    {
      before: { name: "Checkout errors", slug: "renamed-laxer" },
      after: {
        name: "Checkout errors",
        slug: "renamed-laxer",
        seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.4, sustainSecs: 120 }] } } },
      },
    },
    { optionsAfter: { isRenamed: true } },
    named("laxer", ["laxer", "unclear"], "0.05", "0.4"),
  ),
  errors.full(
    "a raised threshold that the option ignoreChanges keeps from happening",
    {
      before: {},
      after: { seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.9 }] } } } },
    },
    { optionsAfter: { ignoreChanges: ["seriesConditions"] } },
  ),
  errors.full(
    "retainOnDelete is added, which changes nothing yet",
    { before: {}, after: {} },
    { optionsAfter: { retainOnDelete: true } },
  ),
  errors.full(
    "retainOnDelete is removed, which changes nothing yet",
    { before: {}, after: {} },
    { optionsBefore: { retainOnDelete: true } },
  ),
];
