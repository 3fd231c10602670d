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

const texts = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.PrivateIdentifier,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
]);

/** Every identifier and text, comments left out, that holds a kind's name. */
function offences({ path, text }: Source): readonly string[] {
  const found: string[] = [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    const words = texts.has(node.kind) ? wordsOf(node.getText()) : "";
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
  ['if (kind.name === "SLO") return;'],
  ["const monitorPath = one;"],
  ["fetch(`${base}/log-allocation-config`);"],
  ["/trace_metrics_rules?/.test(key);"],
  ["const { derivedMetric } = schema;"],
  ['throw new Error("no such cloud metrics integration");'],
])("%s would be found", (text) => {
  expect(offences({ path: "provider/lifecycle/check.ts", text })).toEqual([
    expect.stringContaining("provider/lifecycle/check.ts:1 says "),
  ]);
});

it("a comment may give an example", () => {
  expect(
    offences({ path: "provider/lifecycle/check.ts", text: "/** As in `notifier`. */ const a = 1; // a monitor" }),
  ).toEqual([]);
});
