type Args = Readonly<Record<string, any>>;

/** A change, its kind, and a whole declaration before and after it, without name and slug. */
export type Row = readonly [what: string, kind: string, before: Args, after: Args];

/** Rows of one kind: by what changes, the declaration before and after it. */
export const ofKind = (kind: string, rows: Readonly<Record<string, readonly [before: Args, after: Args]>>) =>
  Object.entries(rows).map(([what, [before, after]]): Row => [what, kind, before, after]);

const critical = (...conditions: readonly Args[]) => ({ defaults: { critical: { conditions } } });
export const gt = (value: number, more: Args = {}) => ({ op: "GT", value, ...more });
export const lt = (value: number) => ({ op: "LT", value });
export const monitor = (args: Args) => ({ labelQuery: "up", seriesConditions: critical(gt(1)), ...args });
export const query = { labelQuery: "up" };
/** Conditions of a monitor by severity. */
export const severities = (all: Readonly<Record<string, readonly Args[]>>, ...overrides: readonly string[]) => {
  const defaults = Object.fromEntries(Object.entries(all).map(([severity, conditions]) => [severity, { conditions }]));
  return monitor({ seriesConditions: { defaults, overrides: overrides.map(override) } });
};
export const signals = (signalGrouping: Args) => monitor({ signalGrouping });
export const fires = (...conditions: readonly Args[]) => monitor({ seriesConditions: critical(...conditions) });

/** `region=eu` or `region=~eu|us` */
const matcher = (text: string) => {
  const [, name, sign, value] = /^(\w+)(=~?)(.*)$/.exec(text) ?? [];
  return { name, type: sign === "=" ? "EXACT" : "REGEX", value };
};
/** `region=eu env=prod >3 <0`: the labels, and then the conditions. */
function override(text: string) {
  const words = text.split(" ");
  const limits = words.filter((word) => /^[<>]/.test(word));
  const conditions = limits.map((limit) => (limit.startsWith(">") ? gt : lt)(Number(limit.slice(1))));
  const labelMatchers = words.filter((word) => !limits.includes(word)).map(matcher);
  return { labelMatchers, severityConditions: { conditions } };
}
export const overrides = (...all: readonly (string | Args)[]) =>
  monitor({
    seriesConditions: {
      ...critical(gt(1)),
      overrides: all.map((each) => (typeof each === "string" ? override(each) : each)),
    },
  });
export const matching = (matchers: string) => overrides(`${matchers} >3`);

export const during = (...ranges: readonly string[]) => ({
  active: "ONLY_DURING_RANGES",
  ranges: ranges.map((range) => {
    const [startHhMm, endHhMm] = range.split("-");
    return { startHhMm, endHhMm };
  }),
});
export const never = { active: "NEVER" };
export const always = { active: "ALL_DAY" };
export const every = (day: Args) =>
  Object.fromEntries(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].map((name) => [name, day]));
export const week = (days: Args, timezone = "Europe/Berlin") =>
  monitor({ schedule: { timezone, weeklySchedule: { sunday: never, ...days } } });

const sli = { customIndicator: { totalQueryTemplate: "sum(rate(a[5m]))", badQueryTemplate: "sum(rate(b[5m]))" } };
export const slo = (definition: Args, more: Args = {}) => ({
  definition: { objective: 99.9, enableBurnRateAlerting: true, ...definition },
  sli,
  ...more,
});
export const burning = (...burnRateAlertingConfig: readonly Args[]) => slo({ burnRateAlertingConfig });
export const alert = (window: string, budget: number, severity = "critical") => ({ window, budget, severity });
export const indicator = (badQueryTemplate: string) =>
  slo({}, { sli: { customIndicator: { ...sli.customIndicator, badQueryTemplate } } });
export const filters = (additionalLabelFilters: string) => slo({}, { sli: { ...sli, additionalLabelFilters } });
export const timeslices = (
  queryTemplate: string,
  condition: Args = gt(1),
  timesliceSize = "TIMESLICE_SIZE_ONE_MINUTE",
) => slo({}, { sli: { customTimesliceIndicator: { queryTemplate, condition, timesliceSize } } });

export const oncall = (...ids: readonly string[]) => ({
  oncallA: { apiKey: "a-key", responders: ids.map((id) => ({ id, responderType: "TEAM" })) },
});
export const mailTo = (to: string) => ({ email: { to } });
export const chat = (...mrkdwnIn: readonly string[]) => ({ chat: { apiUrl: "https://chat.example.com/a", mrkdwnIn } });

export const derived = (labelExpr: string, more: Args = {}, selector?: Args) => ({
  metricName: "a:b",
  queries: [{ query: { labelExpr, ...more }, ...(selector === undefined ? {} : { selector }) }],
});
export const variable = (defaultLabelSelector: string) =>
  derived("a{$scope}", { variables: [{ name: "scope", defaultLabelSelector }] });
export const selecting = (...labels: readonly string[]) => derived("a", {}, { labels: labels.map(matcher) });

const span = (...scopes: readonly Args[]) => ({ span: scopes.map((scope) => ({ matchType: "INCLUDE", ...scope })) });
export const spans = (scope: Args, more: Args = {}) => ({ metricName: "m", traceFilter: span(scope), ...more });
export const traceFilter = (trace: Args) => ({ metricName: "m", traceFilter: { trace } });
export const named = (match: string, value: string) => spans({ service: { match, value } });
export const among = (...inValues: readonly string[]) => ({ operation: { match: "IN", inValues } });
export const tags = (...keys: readonly string[]) =>
  spans({ tags: keys.map((key) => ({ key, value: { match: "EXACT", value: "x" } })) });
export const traces = (...scopes: readonly Args[]) => ({
  configuration: { type: "TRACES", traceDataset: { matchCriteria: span(...scopes) } },
});
export const records = (text: string) => ({
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: text } } },
});

export const cloud = (scrapeConfig: Args, more: Args = {}) => ({
  principal: { clientId: "c", tenantId: "t" },
  scrapeConfig,
  ...more,
});
export const types = (...all: readonly (readonly [name: string, ...metrics: readonly string[]])[]) =>
  cloud({ resourceTypes: all.map(([name, ...metricNames]) => ({ name, metricNames })) });

export const promql = (pairs: Readonly<Record<string, readonly [before: string, after: string]>>) =>
  ofKind(
    "Monitor",
    Object.fromEntries(
      Object.entries(pairs).map(([what, [before, after]]) => [
        what,
        [monitor({ labelQuery: before }), monitor({ labelQuery: after })] as const,
      ]),
    ),
  );

export const links = (...texts: readonly string[]) => ({
  oncallB: { routingKey: "k", links: texts.map((text) => ({ text })) },
});
export const share = (datasetSlug: string, percentOfLicense: number) => ({
  datasetSlug,
  allocation: { percentOfLicense },
});
export const shares = (...slugs: readonly string[]) => ({ datasetAllocations: slugs.map((slug) => share(slug, 10)) });
export const kept = (...queries: readonly string[]) => ({
  defaultDataset: { priorities: { highPriorityFilters: queries.map((each) => ({ query: each })) } },
});
