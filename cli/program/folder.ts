import { hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { parseJson } from "../../provider/wire/json";
import { readText, writeText } from "../output/files";
import { CommandError } from "../output/output";
import { json } from "./project";
import type { Declared } from "./item";
import { kindNameOfId } from "./write";

/** The file in which the command keeps what it wrote. It belongs into version control, and holds no secret. */
const notesFile = "pulumi-observability.json";

interface Notes {
  readonly version: 1;
  /** For each file that the command wrote, a digest of its text. */
  readonly files: Readonly<Record<string, string>>;
  /** Where each resource is declared, by `idOf`. */
  readonly declared: Readonly<Record<string, Declared>>;
  /** The names of secrets in stack config. */
  readonly secrets: readonly string[];
}

/** The folder that a command writes a program to. What somebody else wrote or changed is never lost. */
export class Folder {
  #notes: Notes;
  readonly #hashes: Record<string, string> = {};
  #statements: ReadonlyMap<string, Statement> | undefined;
  #declared: Readonly<Record<string, Declared>> | undefined;
  /** Whether no earlier run has written to it. */
  readonly isNew: boolean;

  constructor(readonly path: string) {
    this.isNew = !existsSync(join(path, notesFile));
    this.#notes = notesOf(join(path, notesFile));
  }

  /** @throws {CommandError} if the folder has the other layout: one index cannot declare both. */
  expectLayout({ isTeams }: { readonly isTeams: boolean }): void {
    // Only a repository of teams has an import file for each.
    const hasTeams = Object.keys(this.#notes.files).some((name) => /^imports\/.+\.json$/.test(name));
    if (this.isNew || isTeams === hasTeams) return;
    throw new CommandError(
      hasTeams
        ? `"${this.path}" holds a repository of teams, and only import --teams adds to it: choose another --out`
        : `"${this.path}" holds one program, and --teams cannot add to it: choose another --out`,
    );
  }

  /** The resources that earlier runs have declared, by `idOf`, each where it is now. */
  get declared(): Readonly<Record<string, Declared>> {
    this.#declared ??= Object.fromEntries(
      Object.entries(this.#notes.declared).map(([id, each]) => [id, { ...each, ...this.#statementOf(id)?.place }]),
    );
    return this.#declared;
  }

  /** The names of secrets in stack config that earlier runs have given. */
  get secrets(): readonly string[] {
    return this.#notes.secrets;
  }

  /** The TypeScript files that exist, also in folders, without `.ts`: `checkout/payments`. */
  get sources(): readonly string[] {
    return sourcesIn(this.path);
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  /** Writes a file, if it does not exist or is as an earlier run wrote it. */
  write(name: string, text: string): void {
    const path = join(this.path, name);
    if (!existsSync(path) || this.#notes.files[name] === hashOf(readText(path))) this.replace(name, text);
  }

  /** Writes a file with all that it has already, whoever wrote it. */
  replace(name: string, text: string): void {
    this.#put(name, text);
    this.#hashes[name] = hashOf(text);
  }

  /** The files that this run has written, in that order. */
  get written(): readonly string[] {
    return Object.keys(this.#hashes);
  }

  /** Whether the program still declares a resource. */
  declares(id: string): boolean {
    return this.#statementOf(id) !== undefined;
  }

  /** Whether the program declares a resource with these arguments, apart from white space, and from options after them. */
  declaresSo(id: string, text: string): boolean {
    const argumentsIn = (code = "") => squeezed(code.slice(code.indexOf("(")));
    return argumentsIn(this.#statementOf(id)?.text).startsWith(argumentsIn(text).replace(/\);$/, ""));
  }

  /** The imports without which the program does not declare all resources: of their files that no file imports. */
  get missingLines(): readonly { readonly file: string; readonly text: string }[] {
    const importedBy = (file: string) =>
      [...readText(join(this.path, `${file}.ts`)).matchAll(relativePath)].map(([, path = ""]) =>
        posix.join(posix.dirname(file), path),
      );
    const imported = new Set(this.sources.flatMap(importedBy));
    const declaring = Object.entries(this.declared).flatMap(([id, { file }]) => (this.declares(id) ? [file] : []));
    return [...new Set(declaring)].flatMap((file) => {
      const [, folder = "", name] = /^(teams\/[^/]+\/)?(.*)$/.exec(file) ?? [];
      if (name === "index" || imported.has(file)) return [];
      return [{ file: `${folder}index.ts`, text: `import "./${name}";` }];
    });
  }

  /** The statement of a resource, whatever file it was moved to, and whatever its variable is called. */
  #statementOf(id: string): Statement | undefined {
    const statementsIn = (file: string) =>
      [...readText(join(this.path, `${file}.ts`)).matchAll(statement)].map(
        ([text, variable = "", kind, name]) => [`${kind}/${name}`, { text, place: { file, variable } }] as const,
      );
    this.#statements ??= new Map(this.sources.flatMap(statementsIn));
    return this.#statements.get(`${kindNameOfId(id)}/${this.#notes.declared[id]?.name}`);
  }

  /** Keeps what was written, for the next run. */
  close(declared: Readonly<Record<string, Declared>>, secrets: readonly string[]): void {
    const notes: Notes = {
      version: 1,
      files: { ...this.#notes.files, ...this.#hashes },
      declared: { ...this.#notes.declared, ...declared },
      secrets: [...this.#notes.secrets, ...secrets],
    };
    const text = json(notes);
    if (text !== json(this.#notes)) this.#put(notesFile, text);
    this.#notes = notes;
  }

  #put(name: string, text: string): void {
    this.#statements = this.#declared = undefined;
    writeText(join(this.path, name), text, "choose another --out");
  }
}

const relativePath = /["'`](\.{1,2}\/[^"'`]+?)(?:\.[jt]s)?["'`]/g;

interface Statement {
  readonly text: string;
  readonly place: Pick<Declared, "file" | "variable">;
}

/** A statement that declares a resource, up to the next one or a comment. */
const statement =
  /^[ \t]*(?:export )?const (\w+)[^=]*=\s*new (?:\w+\.)?(\w+)\(\s*["'`]([^"'`]+)[^]*?(?=^[ \t]*(?:export )?const \w|^\/\/|(?![^]))/gm;

/** Code without the white space between its words, and without the commas at the ends of lists. */
const squeezed = (code: string) =>
  code.replace(/("(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`)|\s+|,(?=\s*[\])}])/g, "$1");

function sourcesIn(path: string, before = ""): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    if (entry.isDirectory()) {
      return name === "node_modules" || name.startsWith(".") ? [] : sourcesIn(join(path, name), `${before}${name}/`);
    }
    return name.endsWith(".ts") ? [before + name.slice(0, -3)] : [];
  });
}

function notesOf(path: string): Notes {
  if (!existsSync(path)) return { version: 1, files: {}, declared: {}, secrets: [] };
  const notes = parseJson(readText(path)) as Notes | undefined; // with this version
  if (notes?.version === 1) return notes;
  throw new CommandError(
    `"${path}" is not as this version of pulumi-observability wrote it: restore it from version control, or choose another --out`,
  );
}

const hashOf = (text: string) => hash("sha256", text);
