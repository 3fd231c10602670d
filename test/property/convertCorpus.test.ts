import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { convert } from "../../dist/cli/commands/convert/convert.js";
import { ConfigSecret, type Item } from "../../dist/cli/program/item.js";
import { slugFrom } from "../../dist/provider/values/slug.js";
import { structureProblems } from "../../dist/provider/values/types.js";
import { objectToWire } from "../../dist/provider/wire/codec.js";
import { reportFigure, runs } from "../support/figures.js";
import { ask, ownService } from "../support/service.js";
import { corpus, secretText, type Unit } from "./convertCorpus.js";
import type { Conversion } from "../../dist/cli/commands/convert/conversion.js";

const { files, units } = corpus();
let conversion: Conversion;
beforeAll(() => {
  conversion = convert(files);
});

const nameIn = ({ name, args }: Item) => (args.name as string | undefined) ?? name;
const names = () => new Set(conversion.items.map(nameIn));
const refusedIn = ({ file, firstLine, lastLine }: Unit) =>
  conversion.refused.filter((each) => each.file === file && each.line >= firstLine && each.line <= lastLine);

test("each of more than 1,000 rules and specifications is converted or refused at its lines", () => {
  const converted = names();
  const outcomes = units.map((unit) => ({
    unit,
    outcome: [...(converted.has(unit.name) ? ["converted"] : []), ...(refusedIn(unit).length > 0 ? ["refused"] : [])],
  }));
  expect(outcomes.filter(({ outcome }) => outcome.length !== 1)).toEqual([]);
  expect(outcomes.filter(({ unit, outcome }) => unit.expected !== undefined && unit.expected !== outcome[0])).toEqual(
    [],
  );
  expect(units.length).toBeGreaterThan(1_000);

  const files = new Map<string, string[]>();
  for (const { unit, outcome } of outcomes) files.set(unit.file, [...(files.get(unit.file) ?? []), ...outcome]);
  for (const [file, found] of files) {
    const refused = found.filter((each) => each === "refused").length;
    reportFigure(`corpus ${file}: ${found.length}, converted ${found.length - refused}, refused ${refused}`);
  }
  reportFigure(`corpus: ${units.length}, items ${conversion.items.length}, refused ${conversion.refused.length}`);
});

test("a refusal names what it is about, and nothing is refused beside the units", () => {
  const claimed = new Set(units.flatMap(refusedIn));
  expect(conversion.refused.filter((each) => !claimed.has(each))).toEqual([]);
  for (const unit of units) for (const { name = unit.name } of refusedIn(unit)) expect(name).toBe(unit.name);
  for (const { reason } of conversion.refused) expect(reason).not.toMatch(/undefined|\[object|Invalid input|NaN/);
});

test("names and slugs are unique per kind, and readable", () => {
  const found = conversion.items.map(({ kind, name }) => `${kind.name} ${slugFrom("", name)}`);
  expect(new Set(found).size).toBe(conversion.items.length);
  for (const { name } of conversion.items) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test("what an item lost is said above it", () => {
  for (const { item, text } of conversion.losses) {
    const known = conversion.items.filter(({ name }) => name === item);
    if (known.length > 0) expect(known.flatMap(({ comments }) => comments)).toContain(text);
  }
  expect(conversion.losses.length).toBeGreaterThan(0);
});

/** The arguments with each secret as the text that a user would set. */
function withSecrets(value: unknown): unknown {
  if (value instanceof ConfigSecret) return "https://a-secret.example.com"; // Some are addresses.
  if (Array.isArray(value)) return value.map(withSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withSecrets(each)]));
}
const argsOf = (item: Item) => withSecrets(item.args) as Readonly<Record<string, unknown>>;

test("no secret stands in arguments, comments, losses or reasons", () => {
  expect(conversion.items.filter((item) => JSON.stringify(argsOf(item)).includes(secretText))).toEqual([]);
  const said = [
    ...conversion.items.flatMap(({ comments }) => comments),
    ...conversion.losses.map(({ text }) => text),
    ...conversion.refused.map(({ reason }) => reason),
  ];
  expect(said.filter((text) => text.includes(secretText))).toEqual([]);
});

test("keys of secrets are unique, except for what several receivers share", () => {
  const secrets = conversion.items.flatMap(({ args }) => secretsIn(args));
  const values = new Map<string, Set<string | undefined>>();
  for (const { key, value } of secrets) values.set(key, (values.get(key) ?? new Set()).add(value));
  expect([...values].filter(([, each]) => each.size > 1)).toEqual([]);
  for (const key of values.keys()) expect(key).toMatch(/^[a-z][a-zA-Z0-9]*$/);
  expect(secrets.length).toBeGreaterThan(100);
});

function secretsIn(value: unknown): readonly ConfigSecret[] {
  if (value instanceof ConfigSecret) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

test("all arguments have the types of their kind", () => {
  const problems = conversion.items.flatMap((item) =>
    structureProblems(item.kind.args, argsOf(item)).map((problem) => `${item.kind.name} ${item.name}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test("the service accepts all that was converted, as a dry run", async () => {
  const service = await ownService();
  const answers = await Promise.all(
    conversion.items.map(async (item) => {
      const { kind, name } = item;
      const slug = slugFrom("", name);
      const wire = objectToWire(kind.root, { name, slug, ...argsOf(item) });
      const { method, path } = kind.operations.create;
      const body = { dry_run: true, [kind.wire.one]: wire, ...(kind.createsByPut ? { create_if_missing: true } : {}) };
      const { status, body: answer } = await ask(service, method, path.replace("{slug}", slug), body);
      return { name, status, ...(status === 200 ? {} : { answer }) };
    }),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  reportFigure(`corpus: ${answers.length} items accepted by the service`);
});

/** The value with every list at most twelve long, taken from all over it. */
function shortened(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
  const step = Math.ceil(value.length / 12);
  return value.filter((_, i) => i % step === 0).map(shortened);
}

/** Every path of a value. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, each]) => pathsOf(each).map((path) => [key, ...path]))];
}

function replaced(value: any, [key, ...rest]: readonly string[], junk: unknown): unknown {
  if (key === undefined) return junk;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(copy[key], rest, junk);
  return copy;
}

test("whatever stands in one place of a file, the conversion ends and its other documents are converted", () => {
  const byFile = files.map(({ text }) => {
    const documents = parseAllDocuments(text).map((document) => shortened(document.toJS()));
    return fc.constantFrom(...documents.filter((document) => document !== null));
  });
  const rule = { groups: [{ name: "g", rules: [{ alert: "Untouched", expr: "a > 5" }] }] };
  const junk = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      "",
      "x",
      5,
      -1,
      true,
      [],
      {},
      [null],
      [[]],
      { x: null },
      ["x"],
      { name: "x" },
      "{{ x }}",
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(fc.oneof(...byFile), fc.nat(), junk, (document, n, value) => {
      const paths = pathsOf(document);
      const changed = replaced(document, paths[n % paths.length] ?? [], value);
      const text = [changed, rule].map((each) => JSON.stringify(each)).join("\n---\n");
      const { items, refused } = convert([{ path: "file.yml", text }]);
      expect(items.map(nameIn)).toContain("Untouched");
      for (const { reason } of refused) expect(reason).not.toMatch(/undefined|\[object|Invalid input/);
      for (const item of items) expect(structureProblems(item.kind.args, argsOf(item))).toEqual([]);
    }),
    { numRuns: runs(3, 40) },
  );
});
