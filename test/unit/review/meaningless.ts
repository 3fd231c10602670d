import {
  alert,
  among,
  burning,
  cloud,
  derived,
  during,
  every,
  filters,
  fires,
  gt,
  indicator,
  links,
  lt,
  mailTo,
  matching,
  monitor,
  named,
  never,
  ofKind,
  overrides,
  promql,
  type Row,
  selecting,
  severities,
  signals,
  spans,
  tags,
  traceFilter,
  traces,
  variable,
  week,
} from "./declarations.js";

const ofX = { variables: [{ name: "x", defaultLabelSelector: 'y="z"' }] };
const inactive = (condition: object) => ({
  ...week(every(never)),
  seriesConditions: fires(condition).seriesConditions,
});
const ofRegion = (args: object) => ({ ...monitor({}), ...args, labelQuery: "sum by (region) (up) > 0" });
const lasting = (secs: number) => ({ resolveSustainSecs: secs });

/**
 * Changes that mean nothing: one for each rule. Other orders, zeros and defaults of all fields are drawn by
 * test/property/spellings.ts; how PromQL is spelled is in test/unit/cli/canonical.test.ts.
 */
export const meaningless: readonly Row[] = [
  ...promql({
    "matchers in another order": ['a{x="1", y!="2", z=~"3"}', 'a{z=~"3",x="1",y!="2"}'],
    "a matcher twice": ['a{x="1", x="1"}', 'a{x="1"}'],
    "empty braces": ["a{}", "a"],
    "no labels to sum by": ["sum by () (a)", "sum(a)"],
    "nothing to take along, in parentheses": ["a / on (x) group_left b", "a / on (x) group_left () b"],
    "a comparison from the other side": ["5 <= bool sum(a)", "sum(a) >= bool 5"],
    "a pattern that everything matches": ['a{x=~".*"}', "a"],
    "a pattern that only nothing does not match": ['a{x=~".+", y!~".+"}', 'a{x!="", y=""}'],
    "names in quotes": [
      'sum by ("service.name", "b") ({"x", \'c\'="1"} / on (`d`) group_left ("e") y)',
      'sum by (b, "service.name") (x{c="1"} / on (d) group_left (e) y)',
    ],
    "a metric whose name needs quotes": ['{__name__="x.y", a="1"}', "{a='1', 'x.y'}"],
    "escapes of a text": ['x{"a\\x2eb"="\\303\\251\\a"}', 'x{"a.b"="\\u00e9\\x07"}'],
    "a fill of both sides": ["a + fill_right(1) fill_left(0x1) b", "a + fill (1.0) b"],
    "a pattern with a dot in brackets": ['a{x=~"eu[.]west"}', 'a{x="eu.west"}'],
  }),
  ...ofKind("Monitor", {
    "another name of a time zone": [week({}, "Europe/Kiev"), week({}, "Europe/Kyiv")],
    "another time zone with the same time": [week({}, "Europe/Berlin"), week({}, "Europe/Paris")],
    "another time zone and the same minutes, also in summer": [
      week({ ...every(never), monday: during("08:00-17:00") }, "Europe/Berlin"),
      week({ ...every(never), monday: during("07:00-16:00") }, "Europe/London"),
    ],
    "a schedule that is always active": [
      monitor({}),
      monitor({ schedule: { timezone: "UTC", weeklySchedule: { monday: { active: "ALL_DAY" } } } }),
    ],
    "a range of a whole day": [week({ monday: during("00:00-24:00") }), week({})],
    "ranges that meet": [
      week({ monday: during("10:00-14:00", "08:00-10:00") }),
      week({ monday: during("08:00-14:00") }),
    ],
    "a condition twice": [fires(gt(5), gt(5)), fires(gt(5))],
    "a condition that a lower one implies": [fires(gt(3)), fires(gt(5), gt(3))],
    "a condition that a higher one implies": [fires(lt(3), lt(1)), fires(lt(3))],
    "a condition that one with the threshold implies": [
      fires({ op: "GEQ", value: 3 }),
      fires(gt(3), { op: "GEQ", value: 3 }),
    ],
    "a condition that is held longer": [
      fires(gt(3, { sustainSecs: 60 }), gt(3, { sustainSecs: 300 })),
      fires(gt(3, { sustainSecs: 60 })),
    ],
    "a condition that ends sooner": [fires(gt(3, lasting(60)), gt(4)), fires(gt(3, lasting(60)))],
    "a value that is ignored": [
      fires({ op: "EXISTS", value: 5 }, { op: "NOT_EXISTS" }),
      fires({ op: "EXISTS" }, { op: "NOT_EXISTS", value: 1 }),
    ],
    "overrides of other values in another order": [overrides("x=1 >3", "x=2 >4"), overrides("x=2 >4", "x=1 >3")],
    "overrides of other alternatives in another order": [
      overrides("y=1 x=~a|b >3", "x=~c|d >4", "x=e y=1 >5"),
      overrides("x=e y=1 >5", "x=~d|c >4", "x=~b|a y=1 >3"),
    ],
    "overrides with a pattern that does not take the other one's text, in another order": [
      overrides("x=a >3", "x=~b.*|.c.+ >4"),
      overrides("x=~b.*|.c.+ >4", "x=a >3"),
    ],
    "an override twice": [overrides("x=1 >3", "x=2 >4", "x=1 >3"), overrides("x=1 >3", "x=2 >4")],
    "an override with the conditions of the defaults": [overrides(), overrides("x=1 >1")],
    "an override's pattern that is a text": [matching("x=~eu-1"), matching("x=eu-1")],
    "an override's pattern with anchors": [matching("x=~^(eu-.*|us)$"), matching("x=~us|eu-.*")],
    "an override's pattern with an escaped dot": [matching("x=~eu\\.1"), matching("x=eu.1")],
    "an override of a label that no series has": [ofRegion({}), ofRegion(matching("zone=eu region=eu"))],
    "an override's matcher that all series meet": [
      ofRegion(matching("region=eu zone=~.*|a")),
      ofRegion(matching("region=eu")),
    ],
    "signals by labels that no series has": [ofRegion(signals({})), ofRegion(signals({ labelNames: ["zone"] }))],
    "signals by all labels": [
      ofRegion(signals({ labelNames: ["region"] })),
      ofRegion(signals({ signalPerSeries: true })),
    ],
    "conditions of a severity without any": [monitor({}), severities({ critical: [gt(1)], warn: [] })],
    "labels to group by in another order, and one twice": [
      signals({ labelNames: ["a", "b"] }),
      signals({ labelNames: ["b", "a", "b"] }),
    ],
    "the collection by its other field": [monitor({ collection: { slug: "a" } }), monitor({ collectionSlug: "a" })],
    "the collection by both fields": [
      monitor({ collection: { slug: "a" } }),
      monitor({ collection: { slug: "a" }, collectionSlug: "a" }),
    ],
    "times that end at the same evaluation": [
      fires(gt(1, { sustainSecs: 1, resolveSustainSecs: 61 })),
      fires(gt(1, { sustainSecs: 60, resolveSustainSecs: 120 })),
    ],
    "another threshold of what is never active": [inactive(gt(1)), inactive(lt(2))],
    "an interval of 0, which is the default": [monitor({ intervalSecs: 60 }), monitor({ intervalSecs: 0 })],
  }),
  ...ofKind("Notifier", { "addresses in another order": [mailTo("a@b.c, d@e.f"), mailTo("d@e.f ,a@b.c,a@b.c")] }),
  ...ofKind("SLO", {
    "an indicator's query in another spelling": [indicator("sum by (x) (b)"), indicator("sum( b ) by (x)")],
    "an alert twice": [burning(alert("1h", 2), alert("60m", 2)), burning(alert("1h", 2))],
    "label filters in another order": [filters('env="prod", x=~"a|b"'), filters('x=~"b|a",env="prod"')],
  }),
  ...ofKind("DerivedMetric", {
    "an expression with variables in more lines": [derived("a{$x} / b", ofX), derived("a{$x}\n  / b\n", ofX)],
    "an expression with variables and a comment": [derived("a{$x} # it's a\n / b", ofX), derived("a{$x} / b", ofX)],
    "a selector without labels": [derived("a", {}, { labels: [] }), derived("a")],
    "an expression with variables without blanks": [derived("a{$x} / b", ofX), derived("a{ $x }/b", ofX)],
    "a variable's selector in another order": [variable('x="1",y="2"'), variable('y="2", x="1"')],
    "a selector's alternatives in another order": [selecting("x=~eu-.*|us"), selecting("x=~us|eu-.*")],
  }),
  ...ofKind("TraceMetricsRule", {
    "operations in another order, and one twice": [spans(among("a", "b")), spans(among("b", "a", "b"))],
    "a service's alternatives in another order": [named("REGEX", "a|b.*"), named("REGEX", "b.*|a")],
    "conditions that restrict nothing": [traceFilter({ duration: { minSecs: 0 } }), traceFilter({})],
    "no conditions on the trace": [traceFilter({}), { metricName: "m", traceFilter: {} }],
    "a number of spans without bounds": [spans({ spanCount: { min: 0 } }), spans({})],
    "a span's durations without bounds": [spans({ duration: {} }), spans({})],
    "a scope without conditions": [spans({}, { scopeFilter: { spanScopes: [] } }), spans({})],
  }),
  ["an empty description", "Dataset", traces(among("a", "b")), { ...traces(among("b", "a")), description: "" }],
  ...ofKind("CloudxMetricsIntegration", {
    "a configuration that restricts nothing": [cloud({ locations: [] }), cloud({}, { scrapeConfig: undefined })],
  }),
  ...ofKind("LogAllocationConfig", {
    "a dataset's share of 0, written out": [
      { datasetAllocations: [{ datasetSlug: "a" }] },
      { datasetAllocations: [{ datasetSlug: "a", allocation: { percentOfLicense: 0 } }] },
    ],
  }),
];

/** Others, of which the reference service rejects one side; another service may accept it. */
export const refused: readonly Row[] = ofKind("Monitor", {
  "ranges that overlap": [
    week({ monday: during("08:00-12:00", "10:00-14:00") }),
    week({ monday: during("08:00-14:00") }),
  ],
  "a range into the next day": [
    week({ friday: during("22:00-06:00"), saturday: never }),
    week({ friday: during("22:00-24:00"), saturday: during("00:00-06:00") }),
  ],
  "a range into the next week": [
    week({ sunday: during("22:00-02:00"), monday: during("02:00-03:00") }),
    week({ sunday: during("22:00-24:00"), monday: during("00:00-03:00") }),
  ],
  "an override's matcher twice": [matching("x=1 x=1"), matching("x=1")],
});

/** Changes that only look as if they meant nothing. */
export const alike: readonly Row[] = [
  ...promql({
    "what is kept of a histogram": ["a </ 5", "a >/ 5"],
    "a number that is too large": ["a > 1e400", "a > Inf"],
    "an octal range": ["rate(a[017])", "rate(a[17])"],
    "a fill of the other side": ["a + fill_left(1) b", "a + fill_right(1) b"],
    "a function that is unknown": ["max_of(1, 2) * a", "min_of(1, 2) * a"],
    "another order of a sum, whose labels are the left side's": ["a + on (x) group_left b", "b + on (x) group_left a"],
    "parentheses before an offset": ["a - b offset 5m", "(a offset 5m) - b"],
    "a blank in a text": ['a{x="1 2"}', 'a{x="12"}'],
    "another case in a text": ['a{x="EU"}', 'a{x="eu"}'],
    "another sign": ['a{x!="1"}', 'a{x="1"}'],
    "one of two matchers of a label": ['a{x!="1", x!="2"}', 'a{x!="1"}'],
    "two matchers of a label with their values exchanged": ['a{x=~"1", x!~"2"}', 'a{x=~"2", x!~"1"}'],
    "brackets around a bracket and a dot": ['a{x=~"[a[.]b]"}', 'a{x=~"[a\\\\.b]"}'],
    "an escaped end": ['a{x=~"eu.\\\\$"}', 'a{x=~"eu."}'],
    "a dot at another alternative": ['a{x=~"eu.|us"}', 'a{x=~"eu|us."}'],
    "alternatives of what is captured": [
      'label_replace(a, "x", "$1", "y", "(a|ab).*")',
      'label_replace(a, "x", "$1", "y", "(ab|a).*")',
    ],
    "alternatives in a text that is no pattern": ['a{x="eu|us"}', 'a{x="us|eu"}'],
    "by and without": ["sum by (x) (a)", "sum without (x) (a)"],
    "without and no labels": ["sum without () (a)", "sum(a)"],
    "on and ignoring": ["a / on (x) b", "a / ignoring (x) b"],
    "nothing to match on": ["a / on () b", "a / b"],
    "left and right": ["a / on (x) group_left b", "a / on (x) group_right b"],
    "a pattern whose label the absence of data lacks": ['absent(a{x=~"1"})', 'absent(a{x="1"})'],
    "the same of a range": ['absent_over_time(a{x=~"1"}[5m])', 'absent_over_time(a{x="1"}[5m])'],
    "a matcher twice in an absence": ['absent(a{x="1", x="1"})', 'absent(a{x="1"})'],
    "any value, which removes a label": ['absent(a{x="1", x=~".*"})', 'absent(a{x="1"})'],
    "a plus, which removes all labels": ['absent(+a{x="1"})', 'absent(a{x="1"})'],
    "any value of a label that is joined": ['info(a, {x=~".*"})', "info(a)"],
    "two numbers from the other side": ["5 < bool 3", "3 < bool 5"],
    "another order of arguments": ['label_join(a, "x", "-", "y", "z")', 'label_join(a, "x", "-", "z", "y")'],
  }),
  ...ofKind("Monitor", {
    "blanks in a query of another language": [
      monitor({ labelQuery: undefined, loggingQuery: "a  b" }),
      monitor({ labelQuery: undefined, loggingQuery: "a b" }),
    ],
    "a name of no time zone in capitals": [week({}, "mars"), week({}, "MARS")],
    "a gap of a minute": [
      week({ monday: during("08:00-10:00", "10:01-14:00") }),
      week({ monday: during("08:00-14:00") }),
    ],
    "overrides with a pattern that is not read, in another order": [
      overrides("x=eu >3", "x=~e[^a] >4"),
      overrides("x=~e[^a] >4", "x=eu >3"),
    ],
    "a pattern and a text": [matching("x=~e."), matching("x=e.")],
    "a pattern that ignores case, and a text": [matching("x=~(?i)eu"), matching("x=eu")],
    "a condition on a sample, with and without a sustain": [
      fires({ op: "EXISTS" }),
      fires({ op: "EXISTS", sustainSecs: 60 }),
    ],
    "two collections that disagree": [
      monitor({ collection: { slug: "a" } }),
      monitor({ collection: { slug: "a" }, collectionSlug: "b" }),
    ],
  }),
  ...ofKind("TraceMetricsRule", {
    "a filter that asks for no error": [traceFilter({}), traceFilter({ error: {} })],
    "a span without conditions": [{ metricName: "m", traceFilter: {} }, spans({ matchType: "" })],
  }),
  ["a template with a comma as address", "Notifier", mailTo("{{ .a, .b }}"), mailTo("{{ .b, .a }}")],
  ...ofKind("DerivedMetric", {
    "an expression's blanks in quotes": [derived('a{$x, b="c  d"}'), derived('a{$x, b="c d"}')],
    "another order of variables' expressions": [derived("$a / $b"), derived("$b / $a")],
    "another variable": [derived("a{$x}"), derived("a{$y}")],
    "a variable and a word, and one variable": [derived("a{$x y}"), derived("a{$xy}")],
  }),
  ...ofKind("Monitor", { "alternatives of a text": [matching("x=eu|us"), matching("x=us|eu")] }),
  ["links in another order", "Notifier", links("a", "b"), links("b", "a")],
  ["another tag instead of one twice", "TraceMetricsRule", tags("a", "a"), tags("a", "b")],
];
