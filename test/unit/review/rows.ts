import {
  alert,
  always,
  among,
  burning,
  chat,
  cloud,
  derived,
  during,
  every,
  fires,
  gt,
  kept,
  lt,
  mailTo,
  matching,
  monitor,
  never,
  ofKind,
  oncall,
  overrides,
  query,
  records,
  type Row,
  severities,
  share,
  shares,
  signals,
  slo,
  spans,
  timeslices,
  traces,
  types,
  week,
} from "./declarations.js";

const every5 = (op: string, value: number, intervalSecs: number, sustainSecs: number) => ({
  ...fires({ op, value, sustainSecs }),
  intervalSecs,
});
const late = { resolveSustainSecs: 300 };
const eq5 = { op: "EQ", value: 5 };
const fires4 = { seriesConditions: fires(gt(4)).seriesConditions };
const long = (end: string) => `sum(rate(http_requests_total{service="checkout",region="europe"}[5m])) by (${end})`;
const labels = (value: string) => Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`l${i}`, value]));
const slow = { sustainSecs: 60 };
const allocated = (...datasetAllocations: readonly object[]) => ({ datasetAllocations });
const dropping = (text: string) => ({ priorities: { lowPriorityFilters: [{ query: text }] } });
/** A monitor of another query with the same condition. */
function asking(condition: object, before = "", after = "") {
  const of = (labelQuery: string) => ({ ...fires(condition), labelQuery });
  return [of(before), of(after)] as const;
}
const [any, none] = [{ op: "EXISTS" }, { op: "NOT_EXISTS" }];
const regular = (intervalSecs: number) => monitor({ labelQuery: "max_over_time(errs[1h:])", intervalSecs });
const demanding = (condition: object) => ({ ...fires(condition), labelQuery: "errs > 5 and calls > 10" });
const quantile = (share: number) => `histogram_quantile(${share}, sum by (le) (rate(a_bucket[5m])))`;
const [page, ticket] = [alert("1h", 2), alert("6h", 5)];
const budgeted = (timeWindow: string, ...burnRateAlertingConfig: readonly object[]) =>
  slo({ timeWindow, burnRateAlertingConfig });
const severe = (severity: string) => burning(alert("1h", 2, severity));
const indicator = (customIndicator: object) => slo({}, { sli: { customIndicator } });
const queried = (text: string) =>
  indicator({ totalQueryTemplate: text, goodQueryTemplate: text, badQueryTemplate: text });

/**
 * Changes of which people are told: each is tried in both directions, and `sentences.snap.md` has what the review says.
 */
/** An override of one value of a label. */
const named = (name: string, limit: number) => ({
  labelMatchers: [{ name, type: "EXACT", value: "checkout" }],
  severityConditions: { conditions: [gt(limit)] },
});

export const rows: readonly Row[] = [
  ...ofKind("Monitor", {
    "a raised threshold": [fires(gt(0.05, { sustainSecs: 120 })), fires(gt(0.2, { sustainSecs: 120 }))],
    "a longer sustain": [fires(gt(1, slow)), fires(gt(1, { sustainSecs: 300 }))],
    "an operator by its sign, which may not be one": [fires(lt(1)), fires({ op: "<", value: 1 })],
    "a raised threshold without its sustain": [fires(gt(1, slow)), fires(gt(2))],
    "no sample instead of any": [fires({ op: "EXISTS" }), fires({ op: "NOT_EXISTS", ...slow })],
    "a missing sample, later": [fires({ op: "NOT_EXISTS" }), fires({ op: "NOT_EXISTS", ...slow })],
    "a condition that resolves earlier": [fires(gt(1, { resolveSustainSecs: 300 })), fires(gt(1))],
    "a condition beside one that fires at the same times, but resolves earlier": [
      fires(gt(3, slow), gt(5, { ...slow, resolveSustainSecs: 600 })),
      fires(gt(3, slow)),
    ],
    "two conditions instead of one": [fires(gt(5, slow)), fires(gt(5, { sustainSecs: 120 }), gt(10, slow))],
    "two comparisons instead of one": [fires({ op: "NEQ", value: 5 }), fires(gt(5), lt(5))],
    "any sample beside a threshold": [fires(gt(5)), fires(gt(5), { op: "EXISTS" })],
    "a condition fewer": [fires(gt(1), lt(-1)), fires(gt(1))],
    "no condition": [fires(gt(1)), query],
    "two conditions, each with another partner": [fires(gt(1), lt(-1)), fires(lt(-2), gt(2))],
    "a condition of another severity": [fires(gt(1, slow)), severities({ warn: [gt(1, slow)] })],
    "the default interval": [monitor({ intervalSecs: 30 }), monitor({})],
    "an interval that is no part of the other one": [monitor({ intervalSecs: 45 }), monitor({})],
    "an interval and a sustain": [every5("GT", 1, 300, 60), every5("GT", 1, 60, 120)],
    "an interval and a sustain that lasts as long": [every5("GT", 1, 60, 1), every5("GT", 1, 30, 60)],
    "an interval and a time to resolve": [{ ...fires(gt(1, late)), intervalSecs: 120 }, fires(gt(1, late))],
    "a threshold and a longer time to resolve": [fires(gt(1)), fires(gt(2, late))],
    "a query and a threshold": [monitor({ labelQuery: "sum(x)" }), monitor({ labelQuery: "sum(x) * 100", ...fires4 })],
    "a query, an override and a grouping": [
      { ...matching("region=eu"), signalGrouping: { labelNames: ["a"] } },
      { ...monitor({ labelQuery: "down" }), signalGrouping: { signalPerSeries: true } },
    ],
    "a label with an empty value": [monitor({ labels: { a: "" } }), monitor({ labels: {} })],
    "overrides that change places, of which one hides the other one": [
      overrides("region=~eu|us >10", "region=us >30"),
      overrides("region=us >30", "region=~eu|us >10"),
    ],
    "an override of a label that only the new query has": [
      { ...matching("region=eu"), labelQuery: "sum(up)" },
      { ...matching("region=eu"), labelQuery: "sum by (region) (up)" },
    ],

    "a silent weekend": [week({ sunday: always }), week({ saturday: during("08:00-24:00") })],
    "another severity once no day is active": [severities({ warn: [gt(1)] }), week(every(never))],
    "only one day": [monitor({}), week({ ...every(never), monday: always })],
    "a night that ends at midnight": [
      week({ friday: during("22:00-06:00"), saturday: never }),
      week({ friday: during("22:00-24:00"), saturday: never }),
    ],
    "a night that is dropped": [
      week(every(during("22:00-06:00"))),
      week({ ...every(during("22:00-06:00")), friday: never }),
    ],
    "other hours": [week({ monday: during("08:00-16:00") }), week({ monday: during("10:00-22:00") })],
    "a silent minute": [week({}), week({ monday: during("00:00-12:00", "12:01-24:00") })],
    "another time zone": [week({}), week({}, "Asia/Tokyo")],
    "another time zone with hours that are the same except for some weeks": [
      week({ ...every(never), monday: during("08:00-17:00") }),
      week({ ...every(never), monday: during("02:00-11:00") }, "America/New_York"),
    ],
    "a day without an entry": [week({ saturday: {} }), week({ saturday: never })],
    "a day that cannot be read": [week({}), week({ monday: { active: "SOMETIMES" } })],

    "a time zone that does not exist": [week({}), week({}, "Mars/Base")],
    "ranges beside a whole day": [week({}), week({ monday: { ...during("08:00-16:00"), active: "ALL_DAY" } })],

    "an override of more series": [matching("region=eu env=prod"), matching("region=eu")],
    "an override of more series, by a pattern that is not read": [
      matching("region=~e[^u] env=prod"),
      matching("region=~e[^u]"),
    ],
    "an override of every series": [matching("region=eu"), overrides(">3")],
    "an override of other series": [matching("region=eu"), matching("region=us")],
    "an override by a pattern in which a dot is any letter": [matching("region=eu.west"), matching("region=~eu.west")],
    "an override of more series than those of another threshold": [matching("region=eu"), overrides("region=~.* >10")],
    "another time zone with two names": [week({}), week({}, "Asia/Kolkata")],
    "an override by a pattern that begins alike": [matching("region=eu"), matching("region=~eu-.*")],
    "an override of regions that begin alike": [matching("region=eu-west"), matching("region=~eu-.*|us")],
    "an override by patterns that take less": [matching("region=eeu"), matching("region=~e|ee|eu|eeu.|a.*")],
    "an override by a pattern that is not read": [matching("region=eu"), matching("region=~e(u|s)")],
    "an override without a way to compare": [
      matching("region=eu"),
      overrides({ labelMatchers: [{ name: "region" }], severityConditions: { conditions: [gt(3)] } }),
    ],
    "a new override": [overrides(), matching("region=eu")],
    "a new override without conditions": [overrides(), overrides("region=eu")],
    "a new override beside warnings alone": [
      severities({ warn: [gt(1)] }),
      severities({ warn: [gt(1)] }, "region=eu >3"),
    ],
    "a threshold of an override": [matching("region=eu"), overrides("region=eu >4")],
    "one of two conditions of an override": [matching("region=eu"), overrides("region=eu >3 <0")],
    "overrides in another order": [overrides("region=eu >3", "env=prod >4"), overrides("env=prod >4", "region=eu >3")],
    "an override behind and before hidden ones, of which one changes, too": [
      overrides("a=1 >0", "a=1 >1", "b=1 >2", "b=1 >3"),
      overrides("a=1 >0", "a=1 >1", "b=1 >12", "b=1 >13"),
    ],
    "an override, and a hidden one more": [matching("a=1"), overrides("a=1 >4", "a=1 >9")],
    "a condition, and one that never fires alone": [fires(gt(3), gt(5)), fires(gt(2), gt(6))],
    "a condition of an override fewer, beside which another one never fires alone": [
      overrides("b=1 >9", "a=1 >5 >3"),
      overrides("b=1 >9", "a=1 >5"),
    ],
    "an override that drops the warning": [
      severities({ critical: [gt(2)], warn: [gt(1)] }),
      severities({ critical: [gt(2)], warn: [gt(1)] }, "region=eu >3"),
    ],

    "signals by a label whose name needs quotes": [
      { ...signals({ labelNames: ["service.name"] }), labelQuery: 'sum by ("service.name", job) (up)' },
      { ...signals({}), labelQuery: 'sum by ("service.name", job) (up)' },
    ],
    "the threshold of an override of a label whose name needs quotes": [
      { ...overrides(named("service.name", 5)), labelQuery: 'up{"service.name"="checkout"}' },
      { ...overrides(named("service.name", 50)), labelQuery: 'up{"service.name"="checkout"}' },
    ],
    "what is kept of a histogram": [monitor({ labelQuery: "x </ 5" }), monitor({ labelQuery: "x >/ 5" })],
    "a query that is unknown": [
      monitor({ labelQuery: "max_of(1, 2) * x" }),
      monitor({ labelQuery: "min_of(1, 2) * x" }),
    ],
    "signals by a label that the new query lacks": [
      { ...signals({ labelNames: ["region", "pod"] }), labelQuery: "sum by (region, pod) (up)" },
      { ...signals({ labelNames: ["region", "pod"] }), labelQuery: "sum by (region) (up)" },
    ],
    "signals by the only label, which the new query lacks": [
      { ...signals({ labelNames: ["region"] }), labelQuery: "sum by (region) (up)" },
      { ...signals({ labelNames: ["region"] }), labelQuery: "sum(up)" },
    ],
    "signals by a label that the query lacks": [
      { ...signals({ labelNames: ["region"] }), labelQuery: "sum by (region) (up)" },
      { ...signals({ labelNames: ["regoin"] }), labelQuery: "sum by (region) (up)" },
    ],
    "another query": [monitor({}), monitor({ labelQuery: "down" })],
    "a raised threshold of a query": asking(any, "errs > 5", "errs > 10"),
    "a raised threshold of a query, below that of the condition": asking(gt(7), "errs > 5", "errs > 10"),
    "a raised threshold of a query that misses a series": asking(none, "sum(errs) > 5", "sum(errs) > 10"),
    "a lower quantile": asking(gt(1), quantile(0.99), quantile(0.95)),
    "a lower quantile that must not be low": asking(lt(1), quantile(0.99), quantile(0.95)),
    "a lower quantile beside another threshold": asking(any, `${quantile(0.99)} > 1`, `${quantile(0.95)} > 2`),
    "more of the highest": asking(gt(1), "topk(5, errs)", "topk(10, errs)"),
    "another number added to the highest": asking(lt(1), "topk(5, errs) - 1", "topk(5, errs) - 2"),
    "one more demand": asking(any, "errs > 5", "errs > 5 and on () calls > 100"),
    "a raised demand": asking(gt(1), "errs and on () calls > 100", "errs and on () calls > 200"),
    "two raised thresholds of a query": asking(any, "errs > 5 and calls > 10", "errs > 6 and calls > 20"),
    "a raised threshold of series in addition": asking(gt(1), "errs or fails > 5", "errs or fails > 10"),
    "a raised threshold beside other series": asking(any, "errs > 5 or fails", "errs > 10 or fails"),
    "a raised threshold before other series": asking(any, "errs > 5 or on () fails", "errs > 10 or on () fails"),
    "a comparison that no sample meets": [demanding(gt(0)), demanding(lt(3))],
    "a raised exception": asking(gt(1), "errs unless on () calls < 100", "errs unless on () calls < 200"),
    "other series, too": asking(gt(1), "errs", "errs or fails"),
    "one of very many series": asking(gt(1), ...["a", "b"].map((name) => `${name}0${" or errs".repeat(300)}`)),
    "a value for want of series": asking(none, "sum(errs)", "sum(errs) or vector(0)"),
    "a value for want of series that fires": asking(lt(1), "errs", "errs or vector(0)"),
    "a comparison of the same series beside them": asking(gt(1), "errs", "errs and errs > 5"),
    "the same series beside a comparison of them": asking(any, "errs", "errs > 5 and errs"),
    "a matcher more": asking(gt(1), "rate(errs[5m])", 'rate(errs{region="eu"}[5m])'),
    "a matcher more of a sum": asking(gt(1), "sum(errs)", 'sum(errs{region="eu"})'),
    "a matcher more of a sum that may be missing": asking(none, "sum(errs)", 'sum(errs{region="eu"})'),
    "a wider pattern of a maximum": asking(gt(1), 'max(errs{a=~"eu-[12]"})', 'max(errs{a=~"eu-(1|2|3)"})'),
    "a pattern that takes one text": asking(gt(1), 'errs{a=~"b{2}"}', 'errs{a="bb"}'),
    "a wider pattern of a minimum": asking(gt(1), 'min(errs{a!~"b|c"})', 'min(errs{a!="b"})'),
    "a wider pattern of a number": asking(gt(1), 'count(errs{a=~"b|c"})', 'count(errs{a!="d"})'),
    "fewer series of a ratio": asking(gt(1), "errs / calls", 'errs{env="prod"} / calls{env="prod"}'),
    "the highest instead of the average": asking(gt(1), "avg by (a) (errs) * 100", "max by (a) (errs) * 100"),
    "the average instead of the lowest": asking(gt(1), "min(errs)", "avg(errs)"),
    "the average instead of the lowest, below a threshold": asking(lt(1), "min(errs)", "avg(errs)"),
    "a lowered threshold in a subquery": asking(gt(4), ...[5, 3].map((n) => `min_over_time((errs > ${n})[1h:5m])`)),
    "an interval of which the samples of a query depend": [regular(60), regular(3600)],
    "what is no query": asking(gt(1), "errs > 5", "errs > > 5"),
    "a query of another language": [query, { loggingQuery: "up" }],
    "a long query that differs at its end": [{ loggingQuery: long("pod") }, { loggingQuery: long("zone") }],
    "a long query with more differences than can be shown": [
      { loggingQuery: [1, 2, 3, 4, 5].map(() => long("pod")).join(" + ") },
      { loggingQuery: [1, 2, 3, 4, 5].map(() => long("zone")).join(" + ") },
    ],
    "no notification policy": [monitor({ notificationPolicySlug: "a" }), monitor({})],
    "labels with that of a notifier": [monitor({ labels: { ...labels("a"), notifier: "pager" } }), monitor({})],
    "other labels": [monitor({ labels: { team: "a", tier: "1" } }), monitor({ labels: { team: "b" } })],
    "many labels": [monitor({ labels: labels("a") }), monitor({ labels: labels("b") })],
    "signals by fewer labels": [signals({ labelNames: ["region", "pod"] }), signals({ labelNames: ["region"] })],
    "signals by other labels": [signals({ labelNames: ["region"] }), signals({ labelNames: ["pod"] })],
    "signals by a label": [signals({ signalPerSeries: true }), signals({ labelNames: ["pod"] })],
  }),
  ...ofKind("Notifier", {
    "a notifier that discards": [mailTo("a@example.com"), { ...mailTo("a@example.com"), discard: true }],
    "a notifier that discards, and another address": [
      { webhook: { url: "a" } },
      { webhook: { url: "b" }, discard: true },
    ],
    "another address and another receiver of a notifier that discards": [
      { ...mailTo("a@example.com"), discard: true },
      { ...mailTo("b@example.com"), ...chat(), discard: true, skipResolved: true },
    ],
    "no receiver but discard": [mailTo("a@example.com"), { discard: true }],
    "another address": [mailTo("a@example.com"), mailTo("b@example.com")],
    "another receiver": [mailTo("a@example.com"), { ...chat("text"), skipResolved: false }],
    "all other receivers": [
      mailTo("a@example.com"),
      { ...oncall("a"), oncallB: {}, oncallC: {}, ...chat(), webhook: { url: "a" } },
    ],
    "no receiver": [mailTo("a@example.com"), {}],
    "a receiver more": [mailTo("a@example.com"), { ...mailTo("a@example.com"), ...chat() }],
    "a receiver more, and another address": [mailTo("a@example.com"), { ...mailTo("b@example.com"), ...chat() }],
    "nothing when an alert resolves": [mailTo("a@example.com"), { ...mailTo("a@example.com"), skipResolved: true }],
    "the way of delivery": [
      { oncallB: { severity: "critical", httpConfig: { tlsConfig: { insecureSkipVerify: true } } } },
      { oncallB: { severity: "info", httpConfig: {} } },
    ],
    "a lower priority": [{ oncallA: { priority: "P1" } }, { oncallA: { priority: "P5" } }],
    "no mention": [{ chat: { text: "<!channel> a", title: "@here" } }, { chat: { text: "a @here" } }],
    "no mention of a name": [{ chat: { linkNames: true, text: "@ann" } }, { chat: { linkNames: true } }],
    "no mention in a field": [{ chat: { fields: [{ value: "<@ann>" }] } }, { chat: { fields: [{ value: "ann" }] } }],
    "a less urgent message": [{ oncallC: { messageType: "CRITICAL" } }, { oncallC: { messageType: "INFO" } }],
    "no address": [mailTo("a@example.com"), mailTo("")],
    "names that mention nobody": [{ chat: { linkNames: true } }, { chat: {} }],
    "an address fewer": [mailTo("b@example.com, a@example.com"), mailTo("a@example.com")],
    "an address fewer beside a template": [mailTo("{{ .team }}, a@example.com"), mailTo("{{ .team }}")],
    "another responder": [oncall("z", "b", "a"), oncall("z", "c", "a")],
    "a responder fewer": [oncall("z", "b", "a"), oncall("z", "a")],
    "what a button does": [
      { chat: { callbackId: "a", actions: [{ text: "x", url: "a", value: "a" }] } },
      { chat: { callbackId: "b", actions: [{ text: "y", url: "b", value: "b" }] } },
    ],
    "another user": [
      { oncallC: { httpConfig: { basicAuth: { username: "a" } } } },
      { oncallC: { httpConfig: { basicAuth: { username: "b" } } } },
    ],
  }),
  ...ofKind("SLO", {
    "a lower objective": [slo({}), slo({ objective: 99 })],
    "an objective that leaves no error budget": [slo({}), slo({ objective: 100 })],
    "an objective of which an alert needs more errors than there can be": [
      burning(page),
      slo({ objective: 90, burnRateAlertingConfig: [page] }),
    ],
    "a lower objective with alerts that need fewer errors": [
      slo({ objective: 99.9, burnRateAlertingConfig: [alert("1h", 20)] }),
      slo({ objective: 99, burnRateAlertingConfig: [alert("1h", 1)] }),
    ],
    "a longer time window": [slo({}), slo({ timeWindow: "90d" })],
    "burn-rate alerting that is off": [slo({}), slo({ enableBurnRateAlerting: false })],
    "burn-rate alerting that is off, and a lower objective": [
      slo({}),
      slo({ enableBurnRateAlerting: false, objective: 99 }),
    ],
    "burn-rate alerting that is off, and other alerts": [
      burning(page),
      slo({ enableBurnRateAlerting: false, burnRateAlertingConfig: [ticket] }),
    ],
    "more of the budget before an alert": [burning(page), burning(alert("1h", 5))],
    "a shorter window of an alert": [burning(alert("6h", 2)), burning(page)],
    "a window that cannot be read": [burning(page), burning(alert("soon", 2))],
    "more of the budget in a window that cannot be read": [burning(alert("soon", 2)), burning(alert("soon", 5))],
    "an alert fewer": [burning(page, ticket), burning(page)],
    "an alert without a severity fewer": [burning(page, { window: "6h", budget: 5 }), burning(page)],
    "a lower objective and another alert while alerting is off": [
      slo({ enableBurnRateAlerting: false, burnRateAlertingConfig: [page] }),
      slo({ enableBurnRateAlerting: false, burnRateAlertingConfig: [ticket], objective: 99 }),
    ],
    "an alert of another severity": [severe("critical"), severe("warn")],
    "an alert of another speed and severity": [burning(page), burning(alert("1h", 5, "warn"))],
    "labels of alerts in another order": [
      burning({ ...ticket, labels: { page: "no" } }, { ...page, labels: { page: "yes" } }),
      burning({ ...page, labels: { page: "no" } }, { ...ticket, labels: { page: "yes" } }),
    ],
    "labels of an alert": [burning({ ...page, labels: { page: "yes" } }), burning({ ...page, labels: { page: "no" } })],
    "the same errors from another objective": [
      slo({ objective: 99, burnRateAlertingConfig: [alert("1h", 2)] }),
      slo({ objective: 99.9, burnRateAlertingConfig: [alert("1h", 20)] }),
    ],
    "the same errors within another window": [burning(page), budgeted("7d", { ...page, budget: 8 })],
    "more errors within a shorter window": [burning(page), budgeted("7d", { ...page, budget: 20 })],
    "one alert from the same errors": [burning(page, ticket), budgeted("7d", { ...page, budget: 8 }, ticket)],
    "the service's own alerts, of which one is there": [burning(page, alert("6h", 3)), slo({})],
    "the service's own alerts": [burning({ window: "30m", budget: 1, labels: { page: "yes" } }), slo({})],
    "no alert in the list": [burning(page), burning()],
    "a wider condition of good timeslices": [timeslices("up", lt(0.3)), timeslices("up", lt(0.5))],
    "good timeslices with any sample": [timeslices("up", lt(0.3)), timeslices("up", { op: "EXISTS" })],
    "a query and a condition of good timeslices": [timeslices("a", lt(0.5)), timeslices("a * 100", lt(50))],
    "events instead of timeslices": [timeslices("up"), slo({})],
    "another query of the indicator": [indicator({ badQueryTemplate: "b" }), indicator({ badQueryTemplate: "c" })],
    "bad events that count as good": [
      indicator({ totalQueryTemplate: "t", badQueryTemplate: "b" }),
      indicator({ totalQueryTemplate: "t", goodQueryTemplate: "b" }),
    ],
    "the queries of all and of good events, exchanged": [
      indicator({ totalQueryTemplate: "t", goodQueryTemplate: "g" }),
      indicator({ totalQueryTemplate: "g", goodQueryTemplate: "t" }),
    ],
    "longer timeslices": [timeslices("up"), timeslices("up", gt(1), "TIMESLICE_SIZE_FIVE_MINUTES")],
    "long queries": [queried(`${"x".repeat(70)}a`.repeat(2)), queried(`${"x".repeat(70)}b`.repeat(2))],
    "one signal instead of one per series": [slo({}, { signalGrouping: { signalPerSeries: true } }), slo({})],
  }),
  ...ofKind("LogAllocationConfig", {
    "a smaller share": [allocated(share("logs", 40)), allocated(share("logs", 20))],
    "a dataset fewer": [shares("a", "b"), shares("a")],
    "a share of the rest": [{ defaultDataset: share("", 20) }, { defaultDataset: share("", 10) }],
    "datasets in another order": [shares("a", "b"), shares("b", "a")],
    "a dataset before all others": [shares("a", "b"), shares("c", "a", "b")],
    "another dataset with the same share": [shares("a", "b"), shares("c", "b")],
    "a dataset in another one's place": [shares("a", "b"), shares("c", "a")],
    "another filter of what is dropped first": [
      allocated({ ...share("a", 10), ...dropping("x") }),
      allocated({ ...share("a", 10), ...dropping("y") }),
    ],
    "a filter more of what is kept first": [kept("a"), kept("a", "b")],
    "filters of the rest in another order": [kept("a", "b"), kept("b", "a")],
  }),
  ...ofKind("CloudxMetricsIntegration", {
    "no usage metrics": [cloud({}, { usageMetricsEnabled: true }), cloud({}, { usageMetricsEnabled: false })],
    "no counts and no tags": [cloud({}, { countMetricsEnabled: true, propagateTags: true }), cloud({})],
    "one subscription instead of all": [cloud({}), cloud({ subscriptionIds: ["a"] })],
    "a location fewer": [cloud({ locations: ["a", "b"] }), cloud({ locations: ["a"] })],
    "another location": [cloud({ locations: ["a"] }), cloud({ locations: ["b"] })],
    "a metric fewer": [types(["vm", "cpu", "disk"]), types(["vm", "cpu"])],
    "all metrics of a type": [types(["vm", "cpu", "disk"]), cloud({ resourceTypes: [{ name: "vm" }] })],
    "an entry of a type fewer": [types(["vm", "cpu"], ["vm", "disk"]), types(["vm", "disk"])],
    "all metrics of a type by one of its entries": [types(["vm", "cpu"], ["vm", "disk"]), types(["vm", "cpu"], ["vm"])],
    "a resource type fewer": [types(["vm", "cpu"], ["db", "io"]), types(["vm", "cpu"])],
  }),
  ...ofKind("TraceMetricsRule", {
    "another name": [{ metricName: "m" }, { metricName: "n" }],
    "a label of a span fewer": [{ metricName: "m", groupBy: [{ label: "a" }] }, { metricName: "m" }],
    "a text fewer to compare with": [spans(among("p", "q")), spans(among("p"))],
    "bounds in another order": [
      { metricName: "m", histogramBucketsSecs: [1, 2] },
      { metricName: "m", histogramBucketsSecs: [2, 1] },
    ],
  }),
  ["another query", "Dataset", records("a"), records("b")],
  ["traces instead of records", "Dataset", records("a"), traces({})],
  [
    "spans in another order",
    "Dataset",
    traces({ service: { match: "EXACT", value: "a" } }, { service: { match: "EXACT", value: "b" } }),
    traces({ service: { match: "EXACT", value: "b" } }, { service: { match: "EXACT", value: "a" } }),
  ],
  ["another expression", "DerivedMetric", derived("a"), derived("b")],
  ["a variable more", "DerivedMetric", derived("a"), derived("a", { variables: [{ name: "x" }] })],
];

const european = (args: object) => ({ ...args, labelQuery: 'sum by (region) (up{region=~"eu-[12]"})' });
const noted = (note: string, args: object) => ({ ...args, annotations: { note } });
const zero = { labelQuery: "sum(errs) or vector(0)" };
const summed = (args: object) => ({ ...args, labelQuery: "sum(up)" });
const off = (...burnRateAlertingConfig: readonly object[]) =>
  slo({ enableBurnRateAlerting: false, burnRateAlertingConfig });

/** Changes without a risk, of which `sentences.snap.md` has the differences with their reasons. */
export const idle: readonly Row[] = [
  ...ofKind("Monitor", {
    "a text that only people read": [noted("a", monitor({})), noted("b", monitor({}))],
    "times that end at the same evaluation": [fires(gt(1, { sustainSecs: 1 })), fires(gt(1, slow))],
    "another spelling beside a text": [noted("a", query), { ...noted("b", query), labelQuery: " up" }],
    "a zone with the same time": [week({}), week({}, "Europe/Paris")],
    "an interval while no day is active": [{ ...week(every(never)), intervalSecs: 30 }, week(every(never))],
    "overrides that no series has": [summed(matching("region=eu")), summed(matching("region=us"))],
    "overrides that the query excludes": [european(matching("region=us")), european(matching("region=~eu-3|us"))],
    "defaults of series that have an override": [european(matching("region=~eu.*")), european(overrides(">3"))],
    "a demand that the condition makes, too": asking(gt(7), "errs", "errs and errs > 5"),
    "an override that another one hides": [matching("a=1"), overrides("a=1 >3", "a=1")],
    "signals that stay the same": [summed(signals({})), summed(signals({ signalPerSeries: true }))],
    "a raised threshold of a query, below that of the condition": asking(gt(20), "errs > 5", "errs > 10"),
    "a threshold that all samples exceed": [demanding(gt(0)), demanding(any)],
    "a lower quantile of which any fires": asking(any, quantile(0.99), quantile(0.95)),
    "another factor of which any fires": asking(any, "errs * 2", "errs * 3"),
    "a value for want of series that does not fire": asking(gt(1), "sum(errs)", "sum(errs) or vector(0)"),
    "a miss of what is always there": [
      { ...fires(gt(1)), ...zero },
      { ...fires(gt(1), none), ...zero },
    ],
    "other comparisons of the same values": [fires({ op: "EXISTS" }), fires({ op: "NEQ", value: 5 }, eq5)],
  }),
  [
    "two entries of a type in one",
    "CloudxMetricsIntegration",
    types(["vm", "cpu"], ["vm", "disk"]),
    types(["vm", "disk", "cpu"]),
  ],
  ["alerts that are off", "SLO", off(page), off({ ...page, budget: 5 })],
];
