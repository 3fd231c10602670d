import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { ownFolder } from "../../support/folders.js";
import { run } from "../../support/run.js";

export const root = join(import.meta.dirname, "../../..");

/** The files under a folder of the repository, as `provider/kinds/dataset.ts`, without what is built or installed. */
export function filesIn(folder: string, at = root): readonly string[] {
  return readdirSync(join(at, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(at.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => !/(^|\/)(dist|node_modules)\//.test(path))
    .sort();
}

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The TypeScript and JavaScript sources under a folder. */
export const sourcesIn = (folder: string): readonly Source[] =>
  filesIn(folder)
    .filter((path) => /\.[cm]?[jt]s$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** `provider/wire/codec.ts:12`, where a position in a text is. */
export const placeOf = ({ path, text }: Source, position: number) =>
  `${path}:${text.slice(0, position).split("\n").length}`;

interface Import {
  readonly name: string;
  readonly position: number;
}

const known = new Map<string, readonly Import[]>();

/** What a source imports or requires by a literal name, types in doc comments too, and where. */
export function importsOf({ path, text }: Source): readonly Import[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && namesModule(node.parent))
      found.push({ name: node.text, position: node.getStart() });
    // With doc comments, which name types in JavaScript only: that takes many times as long.
    if (/\.[cm]?js$/.test(path)) node.getChildren().forEach(visit);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  known.set(text, found);
  return found;
}

const namesModule = (parent: ts.Node): boolean =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  ts.isExternalModuleReference(parent) ||
  (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) ||
  (ts.isCallExpression(parent) && ["import", "require"].includes(parent.expression.getText()));

/** A copy of some of the repository, with the same packages installed, that ends with the test file. */
export function copyOf(...paths: readonly string[]): string {
  const copy = ownFolder();
  const wanted = (path: string) => basename(path) !== "node_modules";
  for (const path of paths) cpSync(join(root, path), join(copy, path), { recursive: true, filter: wanted });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  return copy;
}

/** Compiles one source of a copy, whatever its types are. */
export function compileInto(copy: string, path: string): void {
  const text = ts.transpile(readFileSync(join(copy, path), "utf8"), {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
  });
  writeFileSync(join(copy, "dist", path.replace(/ts$/, "js")), text);
}

/** Runs a script with Node to its end. */
export const node = (cwd: string, ...args: readonly string[]) => run(process.execPath, args, { cwd });
