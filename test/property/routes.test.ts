import fc from "fast-check";
import { expect, test } from "vitest";
import { notifiedBy } from "../../dist/cli/consequences/alerting.js";
import { knownRouting } from "../../dist/cli/source/routes.js";
import { monitor as kind } from "../../dist/provider/kinds/monitor.js";
import { listed } from "../../dist/cli/output/words.js";
import { runs } from "../support/figures.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { fires, gt } from "../unit/review/declarations.js";

type Labels = Readonly<Record<string, string>>;

/** A route as its file has it. */
interface Written {
  readonly receiver?: string;
  readonly matchers: readonly (readonly [name: string, sign: string, value: string])[];
  readonly continue: boolean;
  readonly routes: readonly Written[];
}

/**
 * https://prometheus.io/docs/alerting/latest/configuration/#route, sentence by sentence: "Every alert enters the routing tree
 * at the configured top-level route. It then traverses the child nodes. If continue is set to false, it stops after the first
 * matching child. If continue is true on a matching node, the alert will continue matching against subsequent siblings. If an
 * alert does not match any children of a node, the alert is handled based on the configuration parameters of the current node."
 */
function handledBy(node: Written, alert: Labels, inherited = ""): readonly string[] {
  const receiver = node.receiver ?? inherited;
  const all: string[] = [];
  for (const child of node.routes) {
    if (!child.matchers.every((matcher) => isMet(matcher, alert))) continue;
    all.push(...handledBy(child, alert, receiver));
    if (!child.continue) break;
  }
  return all.length > 0 ? all : [receiver];
}

/** A label that is missing is empty, and a pattern is anchored. */
function isMet([name, sign, value]: Written["matchers"][number], alert: Labels): boolean {
  const own = alert[name] ?? "";
  const isSame = sign.endsWith("~") ? new RegExp(`^(?:${value})$`).test(own) : own === value;
  return isSame !== sign.startsWith("!");
}

const names = ["a", "b", "c", "severity"];
const values = ["", "x", "y", "xy"];
const receiver = fc.constantFrom("r0", "r1", "r2", "none");
const matcher = fc.oneof(
  fc.tuple(fc.constantFrom(...names), fc.constantFrom("=", "!="), fc.constantFrom(...values, "critical")),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom("=~", "!~"), fc.constantFrom("x|y", "x.*", ".+", ".*", "crit.*")),
);
const tree = (depth: number): fc.Arbitrary<Written> =>
  fc.record({
    receiver: fc.option(receiver, { nil: undefined }) as fc.Arbitrary<string>, // One that is undefined is absent.
    matchers: fc.array(matcher, { maxLength: 2 }),
    continue: fc.boolean(),
    routes: depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 3 }),
  });

/** Matchers are written in each of the forms. */
function fileOf({ matchers, routes, ...rest }: Written, i = 0): object {
  const text = ([name, sign, value]: Written["matchers"][number]) => `${name}${sign}${JSON.stringify(value)}`;
  const of = (sign: string) =>
    Object.fromEntries(matchers.flatMap(([name, own, value]) => (own === sign ? [[name, value]] : [])));
  const isOlder = new Set(matchers.map(([name]) => name)).size === matchers.length && i % 2 === 0;
  const others = isOlder ? matchers.filter(([, sign]) => sign.startsWith("!")) : matchers;
  return {
    ...rest,
    ...(isOlder && { match: of("="), match_re: of("=~") }),
    matchers: i % 3 === 0 ? others.map(text) : others.length === 0 ? [] : [`{${others.map(text).join(", ")}}`],
    routes: routes.map((each, at) => fileOf(each, i + at + 1)),
  };
}

const series = fc.subarray(["a", "b", "c"]);
const alert = fc.record({
  a: fc.constantFrom(...values),
  b: fc.constantFrom(...values),
  c: fc.constantFrom(...values),
});
const folder = ownFolder();

test("who is notified is who Alertmanager's documentation says, and what series decide is left open", () => {
  fc.assert(
    fc.property(fc.array(tree(2), { maxLength: 4 }), alert, series, (routes, labels, open) => {
      const root: Written = { receiver: "r0", matchers: [], continue: false, routes };
      const integrations = (name: string) => ({
        name,
        ...(name !== "none" && { webhook_configs: [{ url: "http://a" }] }),
      });
      const receivers = ["r0", "r1", "r2", "none"].map(integrations);
      writeFiles(folder, { "routes.yml": JSON.stringify({ route: fileOf(root), receivers }) });
      const known = knownRouting({ routes: `${folder}/routes.yml` });
      const whoOf = (own: Labels) => notifiedBy({ kind, name: "x" }, { ...fires(gt(1)), labels: own }, known.routes);
      const heard = (own: Labels) =>
        new Set(handledBy(root, { ...own, severity: "critical" }).filter((each) => each !== "none"));
      const textOf = (own: Labels) =>
        listed([...heard(own)].sort()) || 'nobody (the receiver "none" has no integrations)';
      // With all labels, it is exact.
      expect(whoOf(labels)).toMatchObject([{ severity: "critical", who: textOf(labels) }]);
      const declared = Object.fromEntries(Object.entries(labels).filter(([name]) => !open.includes(name)));
      const [told] = whoOf(declared);
      const possible = open.reduce<Labels[]>(
        (all, name) => all.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
        [declared],
      );
      // Labels that are not known are no labels to --fail-on.
      expect(told?.nobody !== undefined).toBe(heard(declared).size === 0);
      if (told?.isUnsure !== true) for (const each of possible) expect(told?.who).toBe(textOf(each));
      for (const each of possible) {
        const own = heard(each);
        for (const name of own) expect(told?.who).toMatch(new RegExp(`\\b${name}\\b`));
        for (const name of told?.who.split(", and maybe")[0]?.match(/\br\d\b/g) ?? [])
          if (told?.who.includes("maybe") === true) expect(own).toContain(name);
      }
    }),
    { numRuns: runs(4, 12) },
  );
});
