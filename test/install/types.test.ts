import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";

const root = join(import.meta.dirname, "../..");
const cases = join(import.meta.dirname, "types");
const declarations = join(root, "dist/sdk");

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2022,
  types: ["node"],
};

const ofEveryKind = join(cases, "everyKind.ts");
const everyKind = [
  'import type * as obs from "pulumi-observability";',
  'import { type Beside, type Closed, holds, type Mistyped, none, type Same, type Unfit } from "./check.js";',
  "none<Closed<obs.ProviderArgs>>();",
  ...kinds.flatMap(({ name }) => [
    `none<Closed<obs.${name}Args>>();`,
    `none<Mistyped<obs.${name}>>();`,
    `none<Unfit<obs.${name}, obs.${name}Args>>();`,
    `holds<Same<Beside<obs.${name}, obs.${name}Args>, "createdAt" | "updatedAt">>();`,
    `holds<Same<ReturnType<typeof obs.${name}.get>, obs.${name}>>();`,
  ]),
];

// Most of the time goes into reading Pulumi's declarations: once is enough.
const host = ts.createCompilerHost(options);
const read = host.getSourceFile.bind(host);
const known = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (name, ...rest) => {
  if (name === ofEveryKind) return ts.createSourceFile(name, everyKind.join("\n"), ts.ScriptTarget.ES2022);
  if (!known.has(name)) known.set(name, read(name, ...rest));
  return known.get(name);
};

const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

describe("the package's types", () => {
  it("take what they should and reject what they should", () => {
    const program = ts.createProgram([...filesIn(cases), ofEveryKind], options, host);
    const told = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${relative(root, file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(told).toEqual([]);
  });

  it("name no any, and nothing but Pulumi's types and their own", () => {
    const files = reachable(join(declarations, "index.gen.d.ts"));
    expect(files.length).toBeGreaterThan(10);
    const offences = files.flatMap((path) => {
      const text = ts.sys.readFile(path) ?? "";
      const foreign = importsIn(text)
        .filter((name) => !/^(@pulumi\/pulumi|\.\/[\w.]+)$/.test(name))
        .map((name) => `imports ${name}; public types are plain interfaces of Pulumi's and our own`);
      const untyped = text
        .replaceAll(/\/\*[^]*?\*\//g, "")
        .split("\n")
        .filter((line) => /\bany\b/.test(line))
        .map((line) => `says any in "${line.trim()}"; give it a type at its source`);
      return [...foreign, ...untyped].map((offence) => `${relative(root, path)} ${offence}`);
    });
    expect(offences).toEqual([]);
  });
});

const importsIn = (text: string) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);

/** A declaration file and all in its folder that it imports. */
function reachable(path: string, found = new Set<string>()): readonly string[] {
  if (found.has(path)) return [];
  found.add(path);
  const own = importsIn(ts.sys.readFile(path) ?? "").filter((name) => name.startsWith("./"));
  return [path, ...own.flatMap((name) => reachable(join(declarations, `${name.replace(/\.js$/, "")}.d.ts`), found))];
}
