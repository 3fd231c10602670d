import { expect, test } from "vitest";
import { ConversionBuilder } from "../../../dist/cli/commands/convert/conversionBuilder.js";
import { nodesOf, type SourceNode } from "../../../dist/cli/source/sourceNode.js";
import { divide } from "../../../dist/cli/commands/convert/division.js";
import { tellLosses } from "../../../dist/cli/commands/convert/tell.js";
import type { Folder } from "../../../dist/cli/program/folder.js";
import type { Output } from "../../../dist/cli/output/output.js";
import { convertText, file, itemOf, rejectionsOf } from "./converted.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { secretMark } from "../../support/plain.js";

const rule = "groups: [ { name: g, rules: [ { alert: A, expr: a > 5, labels: { severity: page } } ] } ]";

test.each([
  ["a text", "ALERT A IF a > 5", "1: this is not one of the known formats"],
  [
    "another format",
    "scrape_configs: []\nglobal: {}",
    "1: a file with scrape_configs, global is not one of the known formats",
  ],
  ["a tab as indentation", "groups:\n\t- name: g", "2: this is not valid YAML: Tabs are not allowed as indentation"],
  ["a key twice", "groups: []\ngroups: []", "2: this is not valid YAML: Map keys must be unique"],
  ["an unknown alias", "groups: *rules", "1: this is not valid YAML: Unresolved alias"],
  [
    "a quoted string that Prometheus reads and YAML does not allow",
    'groups:\n  - name: "a\n  b"',
    "2: this is not valid YAML: indent the lines that continue a quoted string further than its key",
  ],
  ["groups that are no list", "groups: { a: b }", "1: the list of rule groups is missing"],
  ["a template", "{{ if .x }}\ngroups: []\n{{ end }}", "The file contains template lines: render it first"],
  ["a template of Ansible", "groups: [\n{% if x %}\n]", "The file contains template lines: render it first"],
  ["a template in a query", rule.replace("a > 5", "'a{b=\"{{ b }}\"} > 5'"), "the expression has the template {{ b }}"],
])("%s is rejected", (_, text, reason) => {
  expect(rejectionsOf(text)).toEqual([expect.stringContaining(reason)]);
});

test.each(["{{ .Values.severity }}", '{{ include "x" . }}', "{{`{{`}}", '{{ "{{" }}', "{% raw %}"])(
  "a file with the template %s is rejected, unless that is in a comment: it is not for Prometheus",
  (template) => {
    const [reason, comment] = [`2: it has the template ${template}: render the file first`, `# ${template}\n`];
    expect(rejectionsOf(comment + rule.replace("page", `'${template}'`))).toEqual([reason]);
    expect(rejectionsOf(`groups: []\n${comment}x: y`)).toEqual([]);
  },
);

test.each(["", "# nothing\n", "---\n---\n", "{}", "groups:\n"])("a file that says nothing is told: %j", (text) => {
  const losses = [{ file: "file.yml", line: 1, item: "file", text: "the file is empty" }];
  expect(convertText(text)).toEqual({ items: [], rejected: [], losses });
});

test("a bad document is rejected, and the others of its file are converted", () => {
  const { items, rejected } = convertText(`${rule}\n---\na: 1\na: 2\n---\nkind: Pod\n---\n---\n${rule}`);
  expect(items.map(({ name }) => name)).toEqual(["a", "a-2"]);
  expect(rejected.map(({ line }) => line)).toEqual([4, 6]);
});

test("what a message of the YAML parser quotes is not told: it may be a secret", () => {
  const [reason] = rejectionsOf('a: "x"\n"s3cret": }\n  - s3cret: [s3cret\n');
  expect(reason).toContain("this is not valid YAML");
  expect(reason).not.toContain("s3cret");
});

test("Windows line ends, a byte order mark, JSON with tabs: the same item", () => {
  const { source, ...item } = itemOf(rule);
  const json = JSON.stringify(
    { groups: [{ name: "g", rules: [{ alert: "A", expr: "a > 5", labels: { severity: "page" } }] }] },
    undefined,
    "\t",
  );
  for (const text of [`\uFEFF${rule}`, rule.replace("[ {", "[\r\n  {"), json]) {
    expect(itemOf(text)).toEqual({ ...item, source: { ...source, line: expect.any(Number) } });
  }
});

test("a value that contains itself, and aliases that would fill the memory, end in a rejection", () => {
  expect(rejectionsOf("groups: &g [ { name: g, rules: *g } ]").length).toBe(1);
  const levels = Array.from({ length: 12 }, (_, i) => {
    return `a${i}: &a${i} [${
      i === 0
        ? "x"
        : Array(10)
            .fill(`*a${i - 1}`)
            .join(", ")
    }]`;
  });
  expect(rejectionsOf([...levels, "groups: *a11"].join("\n"))).toEqual([expect.stringContaining("not valid YAML")]);
});

test("keys and values that Pulumi cannot carry are left out or replaced, and said", () => {
  const [mark] = secretMark;
  const labels = `{ "__proto__": "x", "${mark}": "y", "u": "${unknown}", "odd": "a\\ud800b", "nul": "a\\u0000b" }`;
  const { items, losses } = convertText(
    `groups: [ { name: g, rules: [ { alert: A, expr: a > 5, labels: ${labels} } ] } ]`,
  );
  expect(items[0]?.args.labels).toEqual({ odd: "a\uFFFDb", nul: "a\u0000b" });
  expect(losses.map(({ text }) => text)).toEqual([
    "it has no severity, so it becomes critical",
    "labels.__proto__ is left out: Pulumi has a meaning of its own for the key",
    `labels["${mark}"] is left out: Pulumi has a meaning of its own for the key`,
    "labels.u is left out: Pulumi has a meaning of its own for the value",
    "labels.odd holds half a character, which becomes U+FFFD",
  ]);
});

test("a rejection names the alert, receiver or objective that it is about, in the order of the file", () => {
  const { rejected } = convertText(
    [
      "receivers: [ { name: chat, msteams_configs: [ { a: b } ] } ]",
      "inhibit_rules: [ {} ]",
      '---\ngroups: [ { name: g, rules: [ { alert: Bad, expr: "a >" }, { alert: Good, expr: a > 5 } ] } ]',
      "---\napiVersion: openslo/v1\nkind: SLO\nmetadata: { name: pay }",
      "spec: { indicator: { spec: { thresholdMetric: { metricSource: { type: X, spec: {} } } } }, objectives: [",
      "  { displayName: fast, target: 0.9, op: lte, value: 1 }, { displayName: slow, target: 0.9, op: lte, value: 2 } ] }",
      '---\ngroups: [ { name: h, rules: [ { alert: Last, expr: "a >" }, { expr: a } ] } ]',
    ].join("\n"),
  );
  expect(rejected.map(({ line, name }) => `${line}: ${name}`)).toEqual([
    "1: chat",
    "2: undefined",
    "4: Bad",
    "9: pay fast",
    "9: pay slow",
    "12: Last",
    "12: undefined",
  ]);
});

test("what a file as a whole loses is named, also if it is much of one kind", () => {
  const { losses } = convertText(
    `global: { smtp_from: a, smtp_hello: b, smtp_smarthost: c }\nreceivers: [ { name: nobody } ]`,
  );
  const told: string[] = [];
  tellLosses({ warn: (text: string) => void told.push(text) } as Output, losses);
  expect(told).toEqual([
    'file.yml:1: "…" is left out: the service sends e-mail itself (3 times: "smtp_from", "smtp_hello", "smtp_smarthost")',
  ]);
});

/** The names of what is added to a folder with Monitors that were converted from rules of one name. */
const addedTo = (names: readonly string[], before: string, after: string) => {
  const origins = convertText(before).items.map(({ source: { line: _, ...source } }) => source);
  const declared = Object.fromEntries(
    names.map((name, i) => [`Monitor/${name}`, { file: "monitors", variable: "a", converted: { origin: origins[i] } }]),
  );
  // The files are named from the folder, which is the current one.
  const folder = { path: ".", secrets: [], declared, declares: () => true } as unknown as Folder;
  return divide(convertText(after), folder, [file]).added.map(
    ({ name, args }) => `${name}: ${String(args.labelQuery)}`,
  );
};
const rulesOf = (...queries: readonly string[]) =>
  `groups: [ { name: g, rules: [ ${queries.map((query) => `{ alert: A, expr: ${query} > 5 }`).join(", ")} ] } ]`;

test("of rules of one name, the one that is new is added, wherever it stands", () => {
  expect(addedTo(["a"], rulesOf("x"), rulesOf("y", "x"))).toEqual(["a-g: y"]);
  expect(addedTo(["a", "a-2"], rulesOf("x", "y"), rulesOf("y", "z", "x"))).toEqual(["a-g: z"]);
});

test("a changed rule is not added, unless another one of its name may be the new one: none is lost", () => {
  expect(addedTo(["a"], rulesOf("x"), rulesOf("y"))).toEqual([]);
  expect(addedTo(["a"], rulesOf("x"), rulesOf("y", "z"))).toEqual(["a-g: y", "a-2: z"]);
});

test("a name that an imported resource has is not given again", () => {
  const folder = {
    path: "out",
    secrets: [],
    declares: () => true,
    declared: { "Monitor/m-1": { file: "x", variable: "a", name: "a" } },
  };
  const { added } = divide(convertText(rule), folder as unknown as Folder, [file]);
  expect(added.map(({ name }) => name)).toEqual(["a-page"]);
});

test("an unexpected error rejects one item, by its name", () => {
  const builder = new ConversionBuilder();
  const nodes = nodesOf(file, "[{ alert: A }, { alert: B }]") as readonly SourceNode[]; // The text is valid.
  builder.each(nodes, (node) => void "x".repeat(node.at("alert").text === "A" ? -1 : 1));
  const reason = "an unexpected error: Invalid count value: -1";
  expect(builder.conversion.rejected).toEqual([{ file, line: 1, name: "A", reason }]);
});
