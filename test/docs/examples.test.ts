import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import ts from "typescript";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { newStack } from "../support/engine.js";
import { ownService } from "../support/service.js";

const root = join(import.meta.dirname, "../..");
// Programs stand where a user's would: beside nothing of ours.
const require = createRequire(join(root, "examples/quickstart/index.ts"));

/** The TypeScript programs in a page. */
const programsIn = (page: string) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

const pages = [...readdirSync(join(root, "docs/kinds")).map((name) => `docs/kinds/${name}`), "README.md"].flatMap(
  (page) => programsIn(page).map((code, i) => [`${page}, program ${i + 1}`, code] as const),
);

function compile(code: string): string {
  const name = join(root, "examples/quickstart/program.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(name, code, ts.ScriptTarget.ES2022) : getSourceFile(file, ...rest);
  host.fileExists = (
    (fileExists) => (file) =>
      file === name || fileExists(file)
  )(host.fileExists.bind(host));
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([name], options, host));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  return ts.transpile(code, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
}

test("every kind's page has a program", () => {
  expect(pages.filter(([page]) => page.startsWith("docs/kinds"))).toHaveLength(kinds.length);
});

test.each(pages)("%s compiles and is created", async (_, code) => {
  const service = await ownService();
  const stack = await newStack(service.url);
  await stack.setConfig("routingKey", "a-key", true);
  const compiled = compile(code);
  const program = () => {
    new Function("require", "exports", compiled)(require, {});
  };
  const { failed, text } = await stack.up(program);
  expect(failed, text).toBe(false);
});
