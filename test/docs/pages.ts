import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { expect } from "vitest";

const root = join(import.meta.dirname, "../..");
// Programs stand where a user's would: beside nothing of ours.
const folder = join(root, "examples/quickstart");
const require = createRequire(join(folder, "index.ts"));

/** What a page shows between ``` lines. */
export interface Block {
  /** The heading it stands under. */
  readonly heading: string;
  /** The name that the line before gives it: "`index.ts`:". */
  readonly file: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** All that a page shows, in order. What a test runs is taken from here, so that it is what a reader copies. */
export function blocksIn(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), "utf8");
  const parts = text.matchAll(
    /^#+ (?<heading>.*)$|(?:^`(?<file>[^`\n]+)`.*:\n\n)?^```(?<language>\w*)\n(?<code>[^]*?)^```$/gm,
  );
  let heading = "";
  return [...parts].flatMap(({ groups = {} }) => {
    if (groups.heading !== undefined) heading = groups.heading;
    const { file, language = "", code } = groups;
    return code === undefined ? [] : [{ heading, file, language, text: code }];
  });
}

/** The files under a heading, by name. */
export const filesUnder = (page: string, heading: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    blocksIn(page).flatMap((block) =>
      block.heading === heading && block.file !== undefined ? [[block.file, block.text]] : [],
    ),
  );

const name = join(folder, "program.ts");
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2022,
};

// Most of the time goes into reading declarations, of which all programs have the same: once is enough.
const host = ts.createCompilerHost(options);
const read = host.getSourceFile.bind(host);
const isThere = host.fileExists.bind(host);
const known = new Map<string, ts.SourceFile | undefined>();
let program: ts.SourceFile;
host.getSourceFile = (file, ...rest) => {
  if (file === name) return program;
  if (!known.has(file)) known.set(file, read(file, ...rest));
  return known.get(file);
};
host.fileExists = (file) => file === name || isThere(file);

/** The JavaScript of a TypeScript program, as a CommonJS module; a test fails on what the compiler has to say. */
export function compile(code: string): string {
  program = ts.createSourceFile(name, code, ts.ScriptTarget.ES2022);
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([name], options, host));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  return ts.transpile(code, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
}

/** A TypeScript program as one that an engine in this process runs. */
export function programOf(code: string): () => void {
  const compiled = compile(code);
  return () => {
    new Function("require", "exports", compiled)(require, {});
  };
}
