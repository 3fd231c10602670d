import ts from "typescript";
import { expect, it } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { placeOf, type Source, sourcesIn } from "./repository.js";

const shared = ["schema", "wire", "client", "lifecycle", "dynamic"].map((folder) => `provider/${folder}`);
const remedy = "a kind is data: say it in its file in provider/kinds, or for the service in service/src/rules";

/** The words of a name in any spelling: `logAllocation_config` → ` log allocation config `. */
const wordsOf = (name: string) =>
  ` ${name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim()} `;

const names = new Set(
  kinds.flatMap(({ name, title, wire }) => [name, title, wire.one, ...(wire.many ? [wire.many] : [])].map(wordsOf)),
);

/** Identifiers and every kind of text. Comments are neither. */
const isText = (node: ts.Node) =>
  ts.isIdentifier(node) ||
  ts.isPrivateIdentifier(node) ||
  ts.isLiteralExpression(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

/** Every identifier and text that contains a kind's name. */
function offences({ path, text }: Source): readonly string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    const words = isText(node) ? wordsOf(node.getText()) : "";
    for (const name of names)
      if (words.includes(name))
        found.push(`${placeOf({ path, text }, node.getStart())} says ${node.getText()}: ${remedy}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

it.each([...shared, "service/src"])("%s names no kind", (folder) => {
  const sources = sourcesIn(folder).filter(({ path }) => !/^service\/src\/rules\/|\.gen\./.test(path));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap(offences)).toEqual([]);
});

it.each([
  ['if (kind.name === "SLO") return;', 1],
  ["const monitorPath = `${base}/log-allocation-config`;", 2],
  ["/trace_metrics_rules?/.test(schema.derivedMetric);", 2],
  ["/** As in `notifier`. */ const a = 1; // a monitor", 0],
])("of %s, %i places name a kind", (text, count) => {
  const found = offences({ path: "provider/lifecycle/verbs/check.ts", text });
  expect(found).toEqual(Array(count).fill(expect.stringContaining("provider/lifecycle/verbs/check.ts:1 says ")));
});
