import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import type typescript from "typescript";
import { expect } from "vitest";
import { pulumiEnv } from "../../tools/pulumi.mjs";
import { run } from "../install/manifest.js";
import { main, runCommand } from "../support/command.js";
import { ownFolder } from "../support/folders.js";
import { keyService, secretsProvider } from "../support/keys.js";
import type { Project } from "../support/project.js";
import { quickStart } from "../support/quickStart.js";
import { type Ended, type How, run as runTo, shell } from "../support/run.js";
import { token } from "../support/service.js";
import { encrypted, makeStack, projectIn } from "../support/stacks.js";

const root = join(import.meta.dirname, "../..");
/** The compiler itself, which checks a program in a tenth of the time. */
export const tsc = join(root, "node_modules/typescript-native/bin/tsc");
// An import would first look for names in its nine megabytes, which takes longer than to load it.
const ts = createRequire(import.meta.url)("typescript") as typeof typescript;
// A folder in which programs find the package in node_modules, as a user's program does.
const folder = join(root, "examples/quickstart");
const require = createRequire(join(folder, "index.ts"));

/** A block between ``` lines of a page. */
export interface Block {
  /** The heading above it. */
  readonly heading: string;
  /** The name that the line before gives it: "`index.ts`:". */
  readonly file: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** The anchor that GitHub and npm make of a heading. */
export const anchorOf = (heading = ""): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** All blocks of a page, in order. Tests run these, so that a reader copies tested commands. */
export function blocksIn(page: string): readonly Block[] {
  const parts = textOf(page).matchAll(
    /^#+ (?<heading>.*)$|(?:^`(?<file>[^`\n]+)`.*:\n\n)?^```(?<language>\w*)\n(?<code>[^]*?)^```$/gm,
  );
  let heading = "";
  return [...parts].flatMap(({ groups = {} }) => {
    if (groups.heading !== undefined) heading = groups.heading;
    const { file, language = "", code } = groups;
    return code === undefined ? [] : [{ heading, file, language, text: code }];
  });
}

export const blocksUnder = (page: string, heading: string): readonly Block[] =>
  blocksIn(page).filter((block) => block.heading === heading);

/** The texts under a heading, all of them. A test states how many it uses. */
export function textsUnder(page: string, heading: string, count: number): readonly string[] {
  const texts = blocksUnder(page, heading).map(({ text }) => text);
  expect(texts).toHaveLength(count);
  return texts;
}

/** The headings under which a page shows something. */
export const headingsIn = (page: string): readonly string[] => [
  ...new Set(blocksIn(page).map(({ heading }) => heading)),
];

/** Runs a line of a page: the command of this checkout in this process, which takes a tenth of the time, all else in a shell. */
export function runLine(line: string, { cwd, env, stdin }: How): Promise<Ended> {
  const [, args] = /^npx pulumi-observability ([^"'$*|><;&]+)$/.exec(line.trim()) ?? [];
  if (args !== undefined) return runCommand(cwd, args.split(" "), env, stdin);
  const own = line.replaceAll("npx pulumi-observability", `"${process.execPath}" "${main}"`);
  return shell(own, { cwd, ...(env && { env }), ...(stdin && { stdin }) });
}

/** Runs the lines of a block. Each must succeed. @returns the output of the last one. */
export async function follow(lines: string, how: How): Promise<string> {
  let printed = "";
  for (const line of lines.trim().split("\n")) {
    // A passphrase would take a second in each operation.
    const command = line.replace(/^pulumi stack init \S+$/, `$& --secrets-provider ${secretsProvider}`);
    const { code, text } = await runLine(command, { ...how, env: { NO_COLOR: "1", ...how.env } });
    expect(code, `${line}\n${text}`).toBe(0);
    printed = text;
  }
  return printed;
}

/** Runs the commands of a page in a project. */
export const followIn = ({ folders, env }: Project, lines: string, stdin = ""): Promise<string> =>
  follow(lines, { cwd: folders.project, env, stdin });

/** The arguments of the first line that runs the command of the package. */
export const argumentsIn = (lines = ""): readonly string[] =>
  /^npx pulumi-observability (.*)$/m.exec(lines)?.[1]?.split(" ") ?? [];

/**
 * A copy of an example in its own folder, as a user copies it, with the packages of this checkout, compiled. It has a stack
 * "production" with this secret in its config.
 */
export async function copyExample(name: string, service: Service, [key, secret]: readonly [string, string]) {
  const [home, backend] = [ownFolder(), ownFolder()];
  const program = join(ownFolder(), name);
  const left = /^(?:node_modules|dist|\.state|\.stacks|Pulumi\..+\.yaml)$/;
  cpSync(join(root, "examples", name), program, { recursive: true, filter: (path) => !left.test(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(program, "node_modules"), "dir");
  inJavascript(program);
  const manifest = join(program, "Pulumi.yaml");
  if (!existsSync(manifest)) writeFileSync(manifest, `name: ${name}\nruntime: nodejs\n`);
  const config = { [`${projectIn(program)}:${key}`]: encrypted(secret) };
  makeStack({ backend, home, project: program }, "production", config);
  const env = {
    ...pulumiEnv({ home, backend }),
    ...(await keyService()),
    ...quickStart,
    TEST_PROGRAMS: "javascript",
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: token,
  };
  return { program, env };
}

/** The files under a heading, by name. */
export const filesUnder = (page: string, heading: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    blocksIn(page).flatMap((block) =>
      block.heading === heading && block.file !== undefined ? [[block.file, block.text]] : [],
    ),
  );

/** The JavaScript of a TypeScript program, as a CommonJS module. Its types are checked in examples.test.ts, with all others. */
export const compile = (code: string): string =>
  ts.transpile(code, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true });

/** The same for several files of one folder, by name. They import each other by their names. */
export const compiled = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, code]) =>
      name.endsWith(".ts") ? [[name.replace(/ts$/, "js"), compile(code).replace(/(?<="\.\/\w+\.)ts(?=")/g, "js")]] : [],
    ),
  );

/** Runs the tests among the files of a page with node:test. @returns what it printed. */
export function runTests(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const folder = ownFolder(compiled(files));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const tests = Object.keys(files).flatMap((name) => (name.endsWith(".test.ts") ? [name.replace(/ts$/, "js")] : []));
  return run(folder, ["node", "--test", "--test-reporter=tap", ...tests], env);
}

/** What the compiler says of sources in a folder under strict checks. */
export async function typeErrorsIn(folder: string, sources: readonly string[]): Promise<readonly string[]> {
  const checks = ["--strict", "--noEmit", "--skipLibCheck", "--allowImportingTsExtensions", "--types", "node"];
  const language = ["--module", "node16", "--target", "es2022", "--typeRoots", join(root, "node_modules/@types")];
  // The sources are these, whatever the folder's own settings name.
  const { stdout } = await runTo(process.execPath, [tsc, ...checks, ...language, "--ignoreConfig", ...sources], {
    cwd: folder,
  });
  return stdout.split("\n").filter((line) => line !== "");
}

/** A TypeScript program as a function for an inline program. */
export function programOf(code: string): () => void {
  const compiled = compile(code);
  return () => {
    new Function("require", "exports", compiled)(require, {});
  };
}

/** Compiles the program of an example to JavaScript, which starts a second sooner. "npm run check" checks its types. */
export function inJavascript(example: string): void {
  const at = (name: string) => join(example, name);
  writeFileSync(at("index.js"), compile(readFileSync(at("index.ts"), "utf8")));
  writeFileSync(at("package.json"), readFileSync(at("package.json"), "utf8").replace("index.ts", "index.js"));
}

/** Replaces times, durations and trailing spaces, which differ between runs. */
const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/(?<=\(|Duration: +)\d[\d.]*m?s\b/g, "<duration>")
    .replace(/ +$/gm, "");

/** A row of the engine's table as one of the lines that it prints without a terminal. */
const inLine = (row: string): string =>
  row
    .replace(/[├└│─]/g, "")
    .replace(/ +/g, " ")
    .trim();

/**
 * Expects the lines that a page shows in the output of a command, one after the other. The engine draws its table only on a
 * terminal, so the rows of a table may be in any order.
 */
export function expectPrinted(printed: string, shown: string, step: string): void {
  const [, table = "", rest = ""] = /^( +Type .*\n[^]*?\n(?=\n))?([^]*)$/.exec(steady(shown)) ?? [];
  const lines = `\n${steady(printed)}`;
  const rows = lines.split("\n").map(inLine);
  for (const row of table.split("\n").slice(1)) expect(rows, `${step}\n${printed}`).toContain(inLine(row));
  expect(lines, step).toContain(`\n${rest.replace(/^\n/, "")}`);
}
