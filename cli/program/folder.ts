import { hash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, posix } from "node:path";
import { kinds } from "../../provider/kinds/index.gen";
import { runFolder, SharedLines } from "../../provider/lifecycle/objects/sharedLines";
import { entries, isObject, parseJson } from "../../provider/wire/json";
import { readText, realOf, writeText } from "../output/files";
import { CommandError } from "../output/output";
import { haveTexts } from "../preview/digest";
import { projectFileNames } from "../pulumi/pulumi";
import { json } from "./project";
import type { Declared } from "./item";
import { idOf, kindNameOfId } from "./write";

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
  /** While a run writes its files: the text of each before, and the digest of the text that it gets. */
  readonly unfinished?: Readonly<Record<string, { readonly before: string | null; readonly after: string }>>;
}

/**
 * The folder that a command writes a program to. What someone else wrote or changed is never lost. Files are written only by
 * `close`. If it is interrupted, the next run first removes what it wrote, and then does the same as without the interruption.
 */
export class Folder {
  #notes: Notes;
  /** The texts of the files that this run writes. */
  readonly #texts = new Map<string, string>();
  #statements: ReadonlyMap<string, Statement> | undefined;
  #declared: Readonly<Record<string, Declared>> | undefined;
  #found: Readonly<Record<string, Declared>> | undefined;

  /** @throws {CommandError} if a file changed that an interrupted run wrote */
  constructor(readonly path: string) {
    const { unfinished, ...notes } = notesOf(join(path, notesFile));
    this.#notes = notes;
    if (unfinished === undefined) return;
    for (const [name, { before, after }] of Object.entries(unfinished)) {
      const now = this.#textOf(name);
      if (now === null || now === before) continue;
      if (hashOf(now) !== after) {
        throw new CommandError(
          `"${join(path, name)}" has changed since a run that was interrupted. Move it out of the folder, and run this command again.`,
        );
      }
      this.#put(name, before);
    }
    this.#put(notesFile, Object.keys(notes.files).length === 0 ? null : json(notes));
  }

  /** @throws {CommandError} if the folder has the other layout: one index cannot declare both. */
  expectLayout({ isTeams }: { readonly isTeams: boolean }): void {
    // Only a repository of teams has an import file for each.
    const names = Object.keys(this.#notes.files);
    const hasTeams = names.some((name) => /^imports\/.+\.json$/.test(name));
    if (names.length === 0 || isTeams === hasTeams) return;
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

  /** Resources that the program declares and no run has noted, by `idOf`: they were written by hand, or the notes were lost. */
  get found(): Readonly<Record<string, Declared>> {
    const declared = Object.entries(this.#notes.declared);
    const noted = new Set(declared.map(([id, { name }]) => `${kindNameOfId(id)}/${name}`));
    return (this.#found ??= Object.fromEntries(
      [...this.#allStatements].flatMap(([key, { text, place }]) => {
        const kind = kinds.find(({ name }) => name === kindNameOfId(key));
        if (kind === undefined || noted.has(key)) return [];
        const name = key.slice(kind.name.length + 1);
        const slug = /\bslug:\s*["'`]([^"'`]+)/.exec(text)?.[1];
        return [[idOf({ kind, name, args: slug === undefined ? {} : { slug } }), { variable: "", ...place, name }]];
      }),
    ));
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
    const now = this.#textOf(name);
    if (now === null || this.#notes.files[name] === hashOf(now)) this.replace(name, text);
  }

  /** Writes a file with all that it has already, whoever wrote it. */
  replace(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** The files that this run writes, in that order. */
  get written(): readonly string[] {
    return [...this.#texts.keys()];
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
    const { name } = this.#notes.declared[id] ?? this.found[id] ?? {};
    return this.#allStatements.get(`${kindNameOfId(id)}/${name}`);
  }

  get #allStatements(): ReadonlyMap<string, Statement> {
    const statementsIn = (file: string) =>
      [...readText(join(this.path, `${file}.ts`)).matchAll(statement)].map(
        ([text, variable, kind, name]) =>
          [`${kind}/${name}`, { text, place: { file, ...(variable && { variable }) } }] as const,
      );
    return (this.#statements ??= new Map(this.sources.flatMap(statementsIn)));
  }

  /** Writes the files, and keeps what they declare for the next run. */
  close(declared: Readonly<Record<string, Declared>>, secrets: readonly string[]): void {
    const hashes = Object.fromEntries([...this.#texts].map(([name, text]) => [name, hashOf(text)]));
    const notes: Notes = {
      version: 1,
      files: { ...this.#notes.files, ...hashes },
      declared: { ...this.#notes.declared, ...declared },
      secrets: [...this.#notes.secrets, ...secrets],
    };
    if (json(notes) === json(this.#notes)) return;
    const unfinished = Object.entries(hashes).map(([name, after]) => [name, { before: this.#textOf(name), after }]);
    if (unfinished.length > 0)
      this.#put(notesFile, json({ ...this.#notes, unfinished: Object.fromEntries(unfinished) }));
    for (const [name, text] of this.#texts) this.#put(name, text);
    this.#put(notesFile, json(notes));
    this.#notes = notes;
  }

  /** The text of a file now; null if there is none. */
  #textOf(name: string): string | null {
    const path = join(this.path, name);
    return existsSync(path) ? readText(path) : null;
  }

  #put(name: string, text: string | null): void {
    this.#statements = this.#declared = this.#found = undefined;
    const path = join(this.path, name);
    if (text === null) rmSync(path);
    else writeText(path, text, "choose another --out");
  }
}

/**
 * Keeps other processes of this machine from writing to a folder meanwhile. What tells them is not in the folder itself: what a
 * killed process leaves would look like a file of the program.
 * @throws {CommandError} if another process writes to it
 */
export function hold(path: string): Disposable {
  const lines = new SharedLines(runFolder(realOf(path)));
  // Before the look: of two processes at the same moment, at least one sees the other.
  lines.append("writes");
  const other = [...lines.fromOthers()].find(({ file }) => lines.isOpen(file));
  if (other === undefined) return { [Symbol.dispose]: () => lines.close() };
  lines.close();
  throw new CommandError(
    `process ${parseInt(other.file)} writes to "${path}", too. Wait for its end, and run this command again.`,
  );
}

const relativePath = /["'`](\.{1,2}\/[^"'`]+?)(?:\.[jt]s)?["'`]/g;

interface Statement {
  readonly text: string;
  readonly place: Pick<Declared, "file"> & Partial<Pick<Declared, "variable">>;
}

/** An expression that declares a resource, with the variable if other files can import it, up to the next one or a comment. */
const statement =
  /^(?:[ \t]*export const (\w+)[^=]*=\s*|[^\n/"'`]*?)\bnew (?:\w+\.)?(\w+)\(\s*["'`]([^"'`]+)[^]*?(?=^[ \t]*(?:export )?const \w|^[^\n/"'`]*\bnew (?:\w+\.)?\w+\(\s*["'`]|^\/\/|(?![^]))/gm;

/** Code without the white space between its words, and without the commas at the ends of lists. */
const squeezed = (code: string) =>
  code.replace(/("(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`(?:\\[^]|[^`\\])*`)|\s+|,(?=\s*[\])}])/g, "$1");

function sourcesIn(path: string, before = ""): readonly string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    if (entry.isDirectory()) {
      const inner = join(path, name);
      const isOther = projectFileNames.some((file) => existsSync(join(inner, file)));
      return name === "node_modules" || name.startsWith(".") || isOther ? [] : sourcesIn(inner, `${before}${name}/`);
    }
    return name.endsWith(".ts") ? [before + name.slice(0, -3)] : [];
  });
}

function notesOf(path: string): Notes {
  if (!existsSync(path)) return { version: 1, files: {}, declared: {}, secrets: [] };
  const notes = parseJson(readText(path));
  if (isNotes(notes)) return notes;
  throw new CommandError(
    `"${path}" is not as this version of pulumi-observability wrote it: restore it from version control, or choose another --out`,
  );
}

/** Whether what every run reads is there: the file may be of a later version, or merged by hand. */
function isNotes(value: unknown): value is Notes {
  if (!isObject(value) || value.version !== 1) return false;
  const { files, declared, secrets } = value;
  const all = Object.values(entries(declared));
  const origins = all.flatMap((each) => (isObject(each) && isObject(each.converted) ? [each.converted.origin] : []));
  const isRead = haveTexts(all, ["file", "variable", "name"]) && haveTexts(origins, ["file", "name", "said"]);
  return [files, declared].every(isObject) && Array.isArray(secrets) && isRead;
}

const hashOf = (text: string) => hash("sha256", text);
