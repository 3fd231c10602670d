import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { convert } from "../../dist/cli/commands/convert/convert.js";
import type { Conversion, Converted } from "../../dist/cli/commands/convert/conversion.js";
import { valueAt } from "../../dist/provider/schema/walk.js";
import { isObject } from "../../dist/provider/wire/json.js";
import { withSecrets } from "../../dist/cli/program/item.js";
import { slugFrom } from "../../dist/provider/schema/names.js";
import { structureProblems } from "../../dist/provider/values/types.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { equivalenceKey } from "../../dist/provider/values/equal.js";
import { masked } from "../../dist/sdk/engine/preview.js";
import { runCommand } from "../support/command.js";
import { runs } from "../support/figures.js";
import { filesBelow, ownFolder, writeFiles } from "../support/folders.js";
import { ask, ownService } from "../support/service.js";
import { setAt } from "./equivalence.js";
import { expressions, print } from "./promql.js";

// Files of documents in any order: drawn Prometheus rules, and what unit/convert has of each format.

interface Document {
  readonly content: object;
  /** What becomes of a drawn rule. */
  readonly expected?: "converted" | "rejected";
  /** The metric that it records; rules that record the same one become one resource. */
  readonly metric?: string | undefined;
}

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
/** Names that become the same slug, or none. */
const name = fc.constantFrom("DiskFull", "disk-full", "Disk full!", "磁盘满", "CPU > 80% (on {{ $labels.x }})");
/** What the drawn expressions don't have. */
const unusual = [
  "a > on (x) group_left (y) b",
  "absent_over_time(up[5m])",
  "rate(a[5m] offset 1h) > 0.5",
  "a @ end() > 5",
  "min_over_time(a[1h:]) > 0",
  "topk(3, a) > 2",
  'count_values("v", a) > 1',
  '{"utf8.metric", x="#"} > 5',
  'sum by (job) (rate(a{code=~"5.."}[5m]))\n  / # all of them\nsum by (job) (rate(a[5m])) > 0.01',
  'label_replace(count by(__name__) ({__name__=~".+"}), "name", "$1", "__name__", "(.+)") > 10000',
];
const wrong = [
  ...["a >", "a > > 5", "foo(a) > 5", "a[5m]", '"text"', "time() > 5", "a > $limit", "a{x=5} > 1", ""],
  ...['a{x=~"(b)\\1"}', 'a{x!~"(?i)b(?=c)"}', 'label_replace(a, "x", "", "y", "b++")', 'a{x="{{ y }}"}'],
  ...['rate({x="y"}[5m]) > 1', 'sum by (y) (count_over_time({x="y"} [1m]))'],
];
const rules = fc
  .record({
    name,
    metric: maybe("job:a", "job:b", "job:c"),
    expr: fc.oneof(
      { weight: 6, arbitrary: expressions.map(print) },
      { weight: 2, arbitrary: fc.constantFrom(...unusual) },
      { weight: 1, arbitrary: fc.constantFrom(...wrong) },
    ),
    for: maybe("5m", "1h30m", "0m", "soon"),
    severity: maybe("critical", "info", "P1", "{{ $labels.severity }}"),
    interval: maybe("30s"),
    isKubernetes: fc.boolean(),
  })
  .map(({ name, metric, expr, for: sustain, severity, interval, isKubernetes }): Document => {
    const alert = { alert: name, for: sustain, annotations: { summary: "{{ $value }}" } };
    const rule = { ...(metric === undefined ? alert : { record: metric }), expr, labels: { severity } };
    const groups = [{ name: "g", interval, rules: [rule] }];
    const object = { apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule", spec: { groups } };
    const isGood = !wrong.includes(expr) && (metric !== undefined || sustain !== "soon");
    return { content: isKubernetes ? object : { groups }, expected: isGood ? "converted" : "rejected", metric };
  });

const folder = join(import.meta.dirname, "../unit/convert/cases");
const cases = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), "utf8")))
  .map((document) => ({ content: document.toJS() as object })); // Each is a map.
/** A text in every secret of the cases. */
const secret = "s3cret";

const documents: Arbitrary<Document> = fc.oneof(rules, fc.constantFrom(...cases));

const path = "file.yml";
/** Each document is a line, and another line is between each two. */
const fileOf = (contents: readonly unknown[]) => contents.map((each) => JSON.stringify(each)).join("\n---\n");
const lineOf = (index: number) => 2 * index + 1;
const converted = (all: readonly Document[]) => convert([{ path, text: fileOf(all.map(({ content }) => content)) }]);

const files = fc.array(documents, { minLength: 1, maxLength: 40 });
const holds = (check: (found: Conversion, documents: readonly Document[]) => void) =>
  fc.assert(
    fc.property(files, (documents) => check(converted(documents), documents)),
    { numRuns: runs(0.2, 0.5) },
  );

/** The arguments with each secret as the text that a user would set; some are addresses. */
const argsOf = (item: Converted) => withSecrets(item.args, () => "https://a-secret.example.com");

test("each rule is converted or rejected at its line", () => {
  holds(({ items, rejected }, documents) => {
    for (const [i, { expected, metric }] of documents.entries()) {
      if (expected === undefined) continue;
      const line = lineOf(i);
      const isGood = expected === "converted";
      const becomes = items.filter(
        ({ source, args }) => source.line === line || (isGood && metric !== undefined && args.metricName === metric),
      );
      const own = rejected.filter((each) => each.line === line);
      expect([line, becomes.length, own.length]).toEqual([line, isGood ? 1 : 0, isGood ? 0 : 1]);
    }
    for (const { reason } of rejected) expect(reason).not.toMatch(/undefined|\[object|Invalid input/);
  });
});

test("names, slugs and keys of secrets are unique and readable", () => {
  holds(({ items }) => {
    const found = items.map(({ kind, name }) => `${kind.name} ${slugFrom("", name)}`);
    expect(new Set(found).size).toBe(items.length);
    for (const { name } of items) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    const values = new Map<string, string | undefined>();
    withSecrets({ all: items.map(({ args }) => args) }, ({ key, value }) => {
      expect(key).toMatch(/^[a-z][a-zA-Z0-9]*$/);
      expect(values.has(key) ? values.get(key) : value).toBe(value);
      values.set(key, value);
      return "";
    });
  });
});

test("the losses of an item are comments above it, and no secret is in what is converted, lost or rejected", () => {
  holds(({ items, losses, rejected }) => {
    for (const { kind, item, text } of losses) {
      const known = items.filter((each) => each.name === item && each.kind.name === kind);
      if (known.length > 0) expect(known.flatMap(({ comments }) => comments)).toContain(text);
    }
    const said = [...items.map(({ comments }) => comments), ...losses, ...rejected];
    expect(JSON.stringify([items.map(argsOf), said])).not.toContain(secret);
  });
});

test("the service accepts what was converted, in a dry run", async () => {
  const service = await ownService();
  const accepted = fc.asyncProperty(files, async (documents) => {
    for (const item of converted(documents).items) {
      const { kind, name } = item;
      expect(structureProblems(kind.args, argsOf(item))).toEqual([]);
      const slug = slugFrom("", name);
      const wire = toWire(kind.root, { name, slug, ...argsOf(item) });
      const { method, path } = kind.operations.create;
      const body = { dry_run: true, [kind.wire.one]: wire, ...(kind.createsByPut ? { create_if_missing: true } : {}) };
      const { status, body: answer } = await ask(service, method, path.replace("{slug}", slug), body);
      expect(status, JSON.stringify([wire, answer])).toBe(200);
    }
  });
  await fc.assert(accepted, { numRuns: runs(0.1, 0.3) });
});

/** Every path of a value. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, each]) => pathsOf(each).map((path) => [key, ...path]))];
}

/** Keys that the tables call without effect, or whose loss is told as a whole, and keys of which others win. */
const settled = [
  ...["status", "instanceSelector", "metadata", "type", "<<"],
  ...["notification_settings", "slo_plugins", "plugins", "ruleOutput", "headers", "calendar"],
];
/** Keys that decide which data is read or where a message goes, and others of the sources' schemas. */
const schemaKeys = [
  ...[
    "source_tenants",
    "tenant",
    "params",
    "headers",
    "extra_filter_labels",
    "datasource_type",
    "type",
    "limit",
    "query_offset",
  ],
  ...[
    "eval_delay",
    "evaluation_delay",
    "keep_firing_for",
    "app_token",
    "api_url",
    "url",
    "token",
    "endpointUrl",
    "oauth2",
  ],
  ...[
    "proxy_url",
    "follow_redirects",
    "payload",
    "adhocFilters",
    "datasourceUid",
    "missingSeriesEvalsToResolve",
    "isPaused",
  ],
  ...[
    "metricSourceRef",
    "indicatorRef",
    "plugins",
    "plugin",
    "alertWhenNoData",
    "alertAfter",
    "calendar",
    "ruleOutput",
  ],
];

test("a key that is added in one place changes the result, or is told as a loss with effect", () => {
  const shown = ({ args }: Converted) => withSecrets(args, ({ value = "" }) => value);
  const outcomeOf = (content: unknown) => {
    const { items, rejected, losses } = convert([{ path, text: fileOf([content]) }]);
    const told = losses.filter(({ hasEffect }) => hasEffect).map(({ item, text }) => [item, text]);
    return { text: JSON.stringify([items.map(shown), rejected.map(({ reason }) => reason), told]), rejected };
  };
  // Nothing is said of the parts of what is rejected or left out as a whole.
  const isLeftOut = ({ kind }: { readonly kind?: string }) => /^(Service|Alert(Policy|Condition))$/.test(kind ?? "");
  const whole = cases.flatMap(({ content }) => {
    const { text, rejected } = outcomeOf(content);
    return rejected.length === 0 && !isLeftOut(content) ? [{ content, text }] : [];
  });
  const key = fc.oneof(fc.constantFrom(...schemaKeys), fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/));
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.nat(),
      key,
      fc.constantFrom("x", { a: "b" }),
      ({ content, text }, n, key, value) => {
        const paths = pathsOf(content).filter((path) => {
          const found = valueAt(content, path);
          return isObject(found) && !Object.hasOwn(found, key);
        });
        const place = paths[n % paths.length] ?? [];
        const changed = setAt(content, [...place, key], value);
        if (outcomeOf(changed).text !== text) return;
        const where = `${key} in ${place.join(".")} of ${JSON.stringify(content)}`;
        expect([...place, key].some((each) => settled.includes(each)) || "tests" in content, where).toBe(true);
      },
    ),
    { numRuns: runs(4, 40) },
  );
});

test("a password in any URL of a receiver is a secret, and a template in its address is rejected", () => {
  const urls = cases.flatMap(({ content }) =>
    pathsOf(content)
      .filter((path) => /^(url|api_?url|\w+_url|href|src)$/i.test(path.at(-1) ?? ""))
      .map((path) => ({ content, path })),
  );
  for (const { content, path: place } of urls) {
    const outcomeOf = (url: string) => convert([{ path, text: fileOf([setAt(content, place, url)]) }]);
    const { items, rejected, losses } = outcomeOf("https://user:pa55@example.com");
    expect(JSON.stringify([items.map(argsOf), rejected, losses]), place.join(".")).not.toContain("pa55");
    const isAddress =
      /^(url|api_?url)$/i.test(place.at(-1) ?? "") && place.some((step) => /_configs$|^settings$/.test(step));
    if (isAddress && !place.includes("actions"))
      expect(outcomeOf("https://{{ .x }}").rejected.length, place.join(".")).toBeGreaterThan(0);
  }
});

test("whatever is in one place of a document, the other documents are converted", () => {
  const rule = { groups: [{ name: "g", rules: [{ alert: "Untouched", expr: "a > 5" }] }] };
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, "", "x", -1, true, [], {}, [null], [[]], ["x"], { name: "x" }, "{{ x }}"),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(documents, fc.nat(), junk, ({ content }, n, value) => {
      const paths = pathsOf(content);
      const changed: unknown = setAt(content, paths[n % paths.length] ?? [], value);
      const { items, rejected } = convert([{ path, text: fileOf([changed, rule]) }]);
      expect(items.map(({ args }) => args.name)).toContain("Untouched");
      for (const { reason } of rejected) expect(reason).not.toMatch(/undefined|\[object|Invalid input/);
      for (const item of items) expect(structureProblems(item.kind.args, argsOf(item))).toEqual([]);
    }),
    { numRuns: runs(1, 40) },
  );
});

test("a second run reports what a change in one place of a file does to what is converted, and nothing else, until it is accepted", async () => {
  const junk = fc.oneof(fc.constantFrom<unknown>("x", "7m", "b > 9", 3, [], {}), fc.constant(undefined));
  /** What is converted, without what only names it in the program. */
  const saidIn = (all: readonly Document[]) =>
    converted(all).items.map(({ kind, source, args }) => {
      const own = withSecrets(args, () => masked);
      return JSON.stringify([kind.name, source.name, equivalenceKey(kind.root, own)]);
    });
  const lossesIn = (all: readonly Document[]) => JSON.stringify(converted(all).items.map(({ lost }) => lost));
  const property = async (all: readonly Document[], at: number, n: number, value: unknown, isMoved: boolean) => {
    const folder = ownFolder({ [path]: fileOf(all.map(({ content }) => content)) });
    const run = async (...args: readonly string[]) => {
      const { stdout } = await runCommand(folder, ["convert", path, "--out", "out", "--json", ...args]);
      const { converted, gone, copies } = JSON.parse(stdout);
      const of = (wanted: string) => converted.filter(({ state }: { readonly state: string }) => state === wanted);
      return { added: of("added"), left: [...of("changed"), ...gone, ...copies] };
    };
    await run();
    const sources = Object.keys(filesBelow(folder)).filter((name) => isMoved && name.endsWith(".ts"));
    writeFiles(folder, Object.fromEntries(sources.map((name) => [name, "// elsewhere\n"])));
    const nothing = { added: [], left: [] };
    await run("--accept");
    expect(await run()).toEqual(nothing);
    const index = at % all.length;
    const changed = all.map((each, i) => {
      const paths = pathsOf(each.content);
      return i === index ? { content: setAt(each.content, paths[n % paths.length] ?? [], value) as object } : each;
    });
    writeFiles(folder, { [path]: fileOf(changed.map(({ content }) => content)) });
    const [second, third] = [await run(), await run()];
    const [before, after] = [saidIn(all), saidIn(changed)];
    // What is rejected has a report of its own.
    const isRejected = converted(changed).rejected.length > 0;
    const isSame = before.toSorted().join() === after.toSorted().join();
    if (isSame && lossesIn(all) === lossesIn(changed)) expect(second).toEqual(nothing);
    if (!isSame && !isRejected) expect(second).not.toEqual(nothing);
    expect(third).toEqual({ added: [], left: second.left });
    await run("--accept");
    expect(await run()).toEqual(nothing);
  };
  const some = fc.array(documents, { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(some, fc.nat(), fc.nat(), junk, fc.boolean(), property), {
    numRuns: runs(0.1, 0.3),
  });
});
