import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { parsePromql, vectorText } from "../../dist/cli/promql/expression.js";
import { convert } from "../../dist/cli/commands/convert/convert.js";
import { exportMonitor } from "../../dist/cli/commands/export/alerts.js";
import { ruleFile } from "../../dist/cli/commands/export/ruleFile.js";
import { monitor } from "../../dist/provider/kinds/monitor.js";
import { formatPath } from "../../dist/provider/schema/walk.js";
import { unknown } from "../../dist/provider/values/unknown.js";
import { masked } from "../../dist/sdk/engine/preview.js";
import { Figures, runs } from "../support/figures.js";
import { setAt } from "./equivalence.js";
import { somePlaces } from "./places.js";
import { type Expression, expressions, parse, print } from "./promql.js";

const figures = new Figures();
const text = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((each) => each.trim() === each);
const labelName = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).filter((name) => name !== "severity");
const texts = fc.dictionary(labelName, text, { maxKeys: 3, noNullPrototype: true });
const secs = fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined });

/** What rules of Prometheus can say of a monitor: one condition of one severity, and a signal per series. */
const monitors = fc.record({
  name: text,
  labels: texts,
  annotations: texts,
  intervalSecs: fc.integer({ min: 1, max: 4_000 }),
  query: expressions,
  severity: fc.constantFrom("critical", "warn"),
  condition: fc.record({
    op: fc.constantFrom("GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS"),
    value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
    sustainSecs: secs,
    resolveSustainSecs: secs,
  }),
});

const present = (value: object) => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
const nonEmpty = (key: string, map: object) => (Object.keys(map).length === 0 ? {} : { [key]: map });

const always = { defaults: { critical: { conditions: [{ op: "EXISTS" }] } } };

const bare = (node: Expression): Expression => (node.is === "group" ? bare(node.of) : node);

test("what is exported converts to the same monitors", async () => {
  const sameMonitor = fc.asyncProperty(monitors, async ({ query, severity, condition, ...more }) => {
    const labelQuery = print(query);
    const args = {
      ...more,
      labelQuery,
      seriesConditions: { defaults: { [severity]: { conditions: [present(condition)] } } },
      signalGrouping: { signalPerSeries: true },
    };
    const exported = exportMonitor("monitor", args);
    // Some names are in quotes, some numbers are durations, and info() is behind a flag.
    expect(exported.losses.filter((each) => !/^(only Prometheus 3|Prometheus) reads /.test(each))).toEqual([]);
    const { items, rejected } = convert([{ path: "rules.yml", text: ruleFile([exported]) }]);
    expect(rejected).toEqual([]);

    // A comparison as a query and a comparison as a condition are the same rule.
    const expression = parsePromql(labelQuery);
    const { op, value, ...times } = present(condition);
    const threshold = op === "EXISTS" ? expression.threshold : { query: vectorText(expression), op, value };
    const kept = threshold ?? { query: vectorText(expression), op };
    const { query: keptQuery, ...comparison } = kept;
    const [item] = items;
    expect(items.length).toBe(1);
    const { labelQuery: found, name = item?.name, ...others } = item?.args as any;
    expect(bare(parse(found))).toEqual(bare(parse(keptQuery)));
    expect({ name, ...others }).toEqual({
      name: more.name,
      labels: { ...more.labels, severity: severity === "warn" ? "warning" : severity },
      ...nonEmpty("annotations", more.annotations),
      intervalSecs: more.intervalSecs,
      seriesConditions: { defaults: { [severity]: { conditions: [{ ...comparison, ...times }] } } },
      signalGrouping: { signalPerSeries: true },
    });
  });
  await figures.hold("monitors that were exported and converted back", sameMonitor, runs(1, 4));
});

test("readers of YAML 1.1 and 1.2, and convert, read the texts that were exported", () => {
  const special = [
    "\u2028",
    "\u0085",
    "\ufeff",
    "yes",
    "y",
    "0o7",
    "1:30",
    "0b1",
    "1_0",
    "2001-12-14",
    "~",
    "=",
    "<<",
    "\n",
    "#",
    ": ",
    ...["{{ $x := 1 }}", "{{ .Values.a }}", "{% if x %}", '{{ "{{" }}', "\ta\n\tb", "\0", " \n"],
  ];
  const odd = fc.oneof(
    text,
    fc.array(fc.oneof(text, fc.constantFrom(...special)), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
  );
  const property = fc.property(fc.dictionary(odd, odd, { noNullPrototype: true }), odd, (annotations, name) => {
    const exported = exportMonitor("monitor", { name, labelQuery: "up", annotations, seriesConditions: always });
    const [{ alert, annotations: written = {} } = { alert: "" }] = exported.alerts;
    for (const version of ["1.1", "1.2"] as const) {
      const [rule] = parseYaml(ruleFile([exported]), { version }).groups[0].rules;
      expect([rule.alert, rule.annotations ?? {}]).toEqual([alert, written]);
    }
    const { items, rejected } = convert([{ path: "rules.yml", text: ruleFile([exported]) }]);
    expect([rejected, items[0]?.source.name, items[0]?.args.annotations ?? {}]).toEqual([[], alert, written]);
  });
  fc.assert(property, { numRuns: runs(4, 10), examples: special.map((each) => [{ [each]: each }, each]) });
});

test("of a monitor with a hidden value, whatever it is, the placeholder is nowhere in the export", () => {
  const { root, example } = monitor;
  const hidden = fc.property(fc.constantFrom(masked, unknown), fc.nat(), (text, seed) => {
    const [path = []] = somePlaces(root, example, 1, seed);
    const args = setAt(example, path, text);
    expect(ruleFile([exportMonitor("monitor", args as object)]), formatPath(path)).not.toContain(text);
  });
  fc.assert(hidden, { numRuns: runs(2, 4) });
});
