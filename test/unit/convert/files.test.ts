import { expect, test } from "vitest";
import { convert } from "../../../dist/cli/commands/convert/convert.js";
import { convertText, itemOf, refusalsOf } from "./converted.js";

const rule = "groups: [ { name: g, rules: [ { alert: A, expr: a > 5, labels: { severity: page } } ] } ]";

test.each([
  ["an empty file", "", "1: the file is empty"],
  ["a file of comments", "# nothing\n", "1: the file is empty"],
  ["a text", "ALERT A IF a > 5", "1: this is none of the known formats"],
  [
    "another format",
    "scrape_configs: []\nglobal: {}",
    "1: a file with scrape_configs, global is none of the known formats",
  ],
  ["a tab as indentation", "groups:\n\t- name: g", "2: this is no valid YAML: Tabs are not allowed as indentation"],
  ["a key twice", "groups: []\ngroups: []", "2: this is no valid YAML: Map keys must be unique"],
  ["an unknown alias", "groups: *rules", "1: this is no valid YAML: Unresolved alias"],
  ["groups that are no list", "groups: { a: b }", "1: the list of rule groups is missing"],
  ["a template", "{{ if .x }}\ngroups: []\n{{ end }}", "2: this is no valid YAML"],
])("%s is refused", (_, text, reason) => {
  expect(refusalsOf(text)).toEqual([expect.stringContaining(reason)]);
});

test("a bad document is refused, and the others of its file are converted", () => {
  const { items, refused } = convertText(`${rule}\n---\na: 1\na: 2\n---\nkind: Pod\n---\n---\n${rule}`);
  expect(items.map(({ name }) => name)).toEqual(["a", "a-page"]);
  expect(refused.map(({ line }) => line)).toEqual([4, 6]);
});

test("what a message of the YAML parser quotes is not told: it may be a secret", () => {
  const [reason] = refusalsOf('a: "x"\n"s3cret": }\n  - s3cret: [s3cret\n');
  expect(reason).toContain("this is no valid YAML");
  expect(reason).not.toContain("s3cret");
});

test("Windows line ends, a byte order mark, JSON with tabs: the same item", () => {
  const item = itemOf(rule);
  const json = JSON.stringify(
    { groups: [{ name: "g", rules: [{ alert: "A", expr: "a > 5", labels: { severity: "page" } }] }] },
    undefined,
    "\t",
  );
  for (const text of [`\uFEFF${rule}`, rule.replace("[ {", "[\r\n  {"), json]) expect(itemOf(text)).toEqual(item);
});

test("anchors, aliases and merged maps are resolved, and lines stay right", () => {
  const text = [
    "x-common: &common",
    "  for: 5m",
    "  labels: &labels { severity: page }",
    "groups:",
    "- name: g",
    "  rules:",
    "  - <<: *common",
    "    alert: A",
    "    expr: a > 5",
    "  - alert: B",
    "    expr: b >",
    "    labels: *labels",
  ].join("\n");
  const { items, refused } = convertText(text);
  expect(items[0]?.args).toMatchObject({
    labels: { severity: "page" },
    seriesConditions: { defaults: { critical: { conditions: [{ sustainSecs: 300 }] } } },
  });
  expect(refused.map(({ line }) => line)).toEqual([11]);
});

test("a value that contains itself, and aliases that would fill the memory, end in a refusal", () => {
  expect(refusalsOf("groups: &g [ { name: g, rules: *g } ]").length).toBe(1);
  const levels = Array.from({ length: 12 }, (_, i) => {
    return `a${i}: &a${i} [${
      i === 0
        ? "x"
        : Array(10)
            .fill(`*a${i - 1}`)
            .join(", ")
    }]`;
  });
  expect(refusalsOf([...levels, "groups: *a11"].join("\n"))).toEqual([expect.stringContaining("no valid YAML")]);
});

test("files are converted together, names are unique over all, and each is told by its path", () => {
  const { items, refused, losses } = convert([
    { path: "a.yml", text: rule },
    { path: "b.yml", text: rule.replace("page", "info") },
    { path: "c.yml", text: "" },
  ]);
  expect(items.map(({ name }) => name)).toEqual(["a", "a-info"]);
  expect(refused).toEqual([{ file: "c.yml", line: 1, reason: "the file is empty" }]);
  expect(losses).toMatchObject([{ file: "b.yml", line: 1, item: "a-info" }]);
});

test("no files give nothing", () => {
  expect(convert([])).toEqual({ items: [], refused: [], losses: [] });
});
