import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Output } from "../../../dist/cli/output/output.js";
import { loadStandards, standardsFile } from "../../../dist/cli/commands/review/standards.js";
import { sourcesOf } from "../../../dist/cli/review/sources.js";
import { violations } from "../../../dist/sdk/standards/index.js";
import { ownFolder } from "../../support/folders.js";
import { digest, steps } from "../../support/digests.js";

const folder = ownFolder();
const at = (name: string) => join(folder, name);
const root = join(import.meta.dirname, "../../..");
symlinkSync(join(root, "node_modules"), at("node_modules"));

const write = (name: string, text: string) => {
  writeFileSync(at(name), text);
  return at(name);
};
const read = (...from: readonly string[]) =>
  sourcesOf([], { from, parallel: 1 }, { refresh: false, sames: false }, new Output({ json: true }));

const rule = '{ Monitor: { named: ({ name }) => (name ? undefined : "no name") } }';

// Of other kinds of modules: test/unit/teams/definitions.test.ts.
test("standards are read from a file that imports another one", async () => {
  write("a.ts", `export default ${rule};`);
  const standards = await loadStandards(write("b.ts", 'import standards from "./a";\nexport default standards;'));
  expect(await violations(standards, "Monitor", {})).toEqual([{ rule: "named", message: "no name" }]);
});

test("standards beside the program come before those of the current folder", () => {
  mkdirSync(at("program"));
  expect(standardsFile(at("program"))).toBeUndefined();
  const own = write("program/observability.standards.mjs", "");
  expect(standardsFile(at("program"))).toBe(own);
});

test.each([
  ["none.ts", undefined, /none\.ts" does not exist$/],
  ["broken.ts", "export default {\n", /can't load ".*broken\.ts": .*Unexpected token[^]*broken\.ts:2/],
  ["bare.mjs", "export const rules = {};", /exports no rules\. Export them as the default: /],
  ["empty.mjs", "export default { Monitor: {} };", /has no rules\. Export them as the default: /],
  ["other.mjs", "export default { Other: {} };", /has rules for an unknown kind "Other"\. Kinds are /],
  ["kind.ts", "export default { Monitr: {} };", /has rules for an unknown kind "Monitr"\. Did you mean "Monitor"\?$/],
  [
    "list.ts",
    "export default { Monitor: [] };",
    /must export the rules for Monitor as an object of functions by name$/,
  ],
  ["text.ts", 'export default { SLO: { x: "y" } };', /must export the rule "x" for SLO as a function$/],
])("standards in %s are rejected with a reason", async (name, text, words) => {
  await expect(loadStandards(text === undefined ? at(name) : write(name, text))).rejects.toThrow(words);
});

/** A report of one stack with one risk. */
function reportOf(facts: object): string {
  const risk = { stack: "a", kind: "Monitor", name: "x", class: "query", direction: "unclear", sentence: "x: y" };
  const empty = { failures: [], notes: [], changes: [], others: [] };
  return JSON.stringify({
    version: 1,
    stacks: [{ stack: "a", ...empty }],
    risks: [{ ...risk, ...facts }],
    violations: [],
  });
}

test("a report that is there twice counts once, also with a byte order mark", async () => {
  const file = write("twice.json", `\uFEFF${reportOf({})}`);
  expect((await read(file, file)).reports).toHaveLength(1);
});

test("previews and reports of other jobs are read together", async () => {
  const preview = write("preview.json", JSON.stringify(digest([steps("Monitor", "x", { before: {} })])));
  const report = write(
    "report.json",
    JSON.stringify({ version: 1, command: "review", stacks: [], risks: [], violations: [] }),
  );
  const { sources, reports } = await read(preview, report);
  expect(sources.map(({ preview: { stack, changes } }) => [stack, changes.length])).toEqual([["project/dev", 1]]);
  expect(reports).toHaveLength(1);
});

test.each([
  ["none.json", undefined, /^can't read ".*none\.json" \(ENOENT\)$/],
  ["other.json", "{}", /other\.json" is not what "pulumi preview --json" prints$/],
  ["text.json", "error: no stack", /text\.json" is not JSON: /],
  [
    "stream.json",
    '{"sequence":0}\n{"sequence":1}\n',
    /stream\.json" is a stream of events\. Unset PULUMI_ENABLE_STREAMING/,
  ],
  ["newer.json", '{"version":2,"stacks":[],"risks":[]}', /newer\.json" was written by a newer version of pulumi/],
  ["half.json", '{"version":1,"stacks":[{}],"risks":[]}', /half\.json" is not what "--json" prints$/],
  ["steps.json", '{"steps":[{"op":"update"}]}', /steps\.json" is not what "pulumi preview --json" prints$/],
  ["list.json", '{"steps":"x"}', /list\.json" is not what "pulumi preview --json" prints$/],
  ["class.json", reportOf({ class: "odd" }), /class\.json" is not what "--json" prints$/],
  ["homeless.json", reportOf({ stack: "b" }), /homeless\.json" is not what "--json" prints$/],
])("an unusable %s is a failed stack with its name, and the other files are read", async (name, text, words) => {
  const good = write("good.json", JSON.stringify(digest([steps("Monitor", "x", { before: {} })])));
  const { sources } = await read(text === undefined ? at(name) : write(name, text), good);
  expect(sources.map(({ preview }) => [preview.stack, preview.isFailed])).toEqual([
    [name.replace(".json", ""), true],
    ["project/dev", false],
  ]);
  expect(sources[0]?.preview.messages[0]?.text).toMatch(words);
});

test("folders and --from exclude each other", async () => {
  const both = sourcesOf(
    ["."],
    { from: ["x"], parallel: 1 },
    { refresh: false, sames: false },
    new Output({ json: true }),
  );
  await expect(both).rejects.toThrow("--from reads previews from files: remove the folders from the arguments");
});
