import { allocation } from "./logAllocation.js";
import { errors } from "./monitorConditions.js";
import { office } from "./monitorSchedules.js";
import { mail, oncallA } from "./receivers.js";
import { availability } from "./slo.js";
import { edits, named, type RiskClass, secret } from "./trial.js";

/** That a secret changes is told, and nobody can know which way. */
const hidden = (classes: RiskClass | readonly RiskClass[], ...words: readonly string[]) =>
  named(classes, "unclear", "secret", ...words);

const condition = (value: number) => ({ op: "GT", value, sustainSecs: 120, resolveSustainSecs: 60 });
const critical = (value: number) => ({
  seriesConditions: { defaults: { critical: { conditions: [condition(value)] } } },
});
const whole = (value: number) => secret({ defaults: { critical: { conditions: [condition(value)] } } });
const override = (region: string, value: number) => ({
  labelMatchers: [{ name: "region", type: "EXACT", value: region }],
  severityConditions: { conditions: [{ op: "GT", value }] },
});
const burns = (budget: number) => [{ window: "1h", budget, severity: "critical", labels: { page: "canary-page" } }];
const hook = edits("Notifier", {
  webhook: {
    url: "https://hooks.example.com/canary-odd-1",
    httpConfig: { basicAuth: { username: "shop", password: "canary-odd" } },
  },
});

// The thresholds are canaries too: no output may hold their digits.
const secretThreshold = errors.from(critical(secret(0.0417731)));
const secretLabel = errors.from({ labels: { customer: secret("canary-customer-1") } });

/** Secrets where the schema has none. */
export const secrets = [
  secretThreshold("a secret threshold changes", critical(secret(0.0917731)), hidden("laxer", "critical")),
  secretThreshold("an untouched secret threshold beside another display name", { name: "Checkout errors" }),
  secretThreshold(
    "an untouched secret threshold beside another warning",
    { seriesConditions: { defaults: { warn: { conditions: [{ op: "GT", value: 0.02, sustainSecs: 600 }] } } } },
    named("laxer", "laxer", "warn", "0.02"),
  ),
  // The engine hides the list and names no place in it: nobody can know that it stays.
  errors("a threshold becomes secret, and stays what it is", critical(secret(0.05)), hidden("laxer", "critical")),
  errors("a threshold becomes secret and higher", critical(secret(0.0817731)), hidden("laxer", "critical")),
  secretThreshold("a secret threshold becomes plain and higher", critical(0.4), hidden("laxer", "critical")),
  errors.from({ seriesConditions: whole(0.0317731) })(
    "conditions that are secret as a whole change",
    { seriesConditions: whole(0.0617731) },
    hidden("laxer"),
  ),
  errors.from({ seriesConditions: whole(0.0317731) })(
    "untouched secret conditions beside a label",
    { labels: { team: "platform" } },
    named("routing-changed", "unclear", "platform"),
  ),
  {
    ...secretLabel(
      "a secret label changes",
      { labels: { customer: secret("canary-customer-2") } },
      hidden("routing-changed", "customer"),
    ),
    hidden: ["team"],
  },
  {
    ...secretLabel(
      "an untouched secret label beside one that changes",
      { labels: { team: "platform" } },
      named("routing-changed", "unclear", "platform"),
    ),
    hidden: ["customer"],
  },
  errors.from({ labels: secret({ team: "canary-team-1" }) })(
    "labels that are secret as a whole change",
    { labels: secret({ team: "canary-team-2" }) },
    hidden("routing-changed"),
  ),
  errors.from({ notificationPolicySlug: secret("canary-policy-1") })(
    "a secret policy changes",
    { notificationPolicySlug: secret("canary-policy-2") },
    hidden("routing-changed"),
  ),
  errors.from({ labelQuery: secret('up{customer="canary-query-1"}') })(
    "a secret query changes",
    { labelQuery: secret('up{customer="canary-query-2"}') },
    hidden("query-changed"),
  ),
  errors.from({ seriesConditions: { overrides: secret([override("eu", 0.0517731)]) } })(
    "overrides that are secret as a whole change",
    { seriesConditions: { overrides: secret([override("eu", 0.0717731)]) } },
    hidden(["override-widened", "laxer"]),
  ),
  errors.from({ seriesConditions: { overrides: [override(secret("canary-region-1"), 0.5)] } })(
    "the secret region of an override changes",
    { seriesConditions: { overrides: [override(secret("canary-region-2"), 0.5)] } },
    hidden("override-widened", "overrides"),
  ),
  errors.from({ seriesConditions: { overrides: [override(secret("canary-region-1"), 0.5)] } })(
    "an untouched secret region beside the override's threshold",
    { seriesConditions: { overrides: [override(secret("canary-region-1"), 0.8)] } },
    hidden(["laxer", "override-widened"], "overrides"),
  ),
  errors.from({ signalGrouping: { labelNames: ["region", secret("canary_label_1")] } })(
    "a secret item of the grouping changes",
    { signalGrouping: { labelNames: ["region", secret("canary_label_2")] } },
    hidden("grouping-changed"),
  ),
  office.from({ schedule: { timezone: secret("Europe/Berlin") } })(
    "a secret zone changes",
    { schedule: { timezone: secret("Asia/Tokyo") } },
    hidden("muted"),
  ),
  availability.from({ definition: { burnRateAlertingConfig: secret(burns(2)) } })(
    "burn-rate alerts that are secret as a whole change",
    { definition: { burnRateAlertingConfig: secret(burns(13)) } },
    hidden("laxer"),
  ),
  availability.from({ definition: { burnRateAlertingConfig: secret(burns(2)) } })(
    "untouched secret burn-rate alerts beside the objective",
    { definition: { objective: 99.5 } },
    named("objective-lowered", "laxer", "99.9", "99.5"),
  ),
  availability.from({ definition: { objective: secret(99.917731) } })(
    "a secret objective changes",
    { definition: { objective: secret(98.817731) } },
    hidden("objective-lowered"),
  ),
  mail.from({ email: secret({ to: "canary-1@example.com" }) })(
    "a mail that is secret as a whole changes",
    { email: secret({ to: "canary-2@example.com" }) },
    hidden("target-changed"),
  ),
  oncallA.from({ oncallA: { responders: [{ username: secret("canary-lead-1") }] } })(
    "a secret responder changes",
    { oncallA: { responders: [{ username: secret("canary-lead-2") }] } },
    hidden("target-changed"),
  ),
  hook(
    "an untouched secret address beside the user who signs in",
    { webhook: { httpConfig: { basicAuth: { username: "shop-v2" } } } },
    named("credentials-changed", "unclear", "shop-v2"),
  ),
  hook("the program marks as secret what is one already", {
    webhook: { url: secret("https://hooks.example.com/canary-odd-1") },
  }),
  allocation.from({ defaultDataset: { allocation: { percentOfLicense: secret(17.7317) } } })(
    "a secret share changes",
    { defaultDataset: { allocation: { percentOfLicense: secret(7.7317) } } },
    hidden("budget-taken"),
  ),
];
