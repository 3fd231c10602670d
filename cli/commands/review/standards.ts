import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { kinds } from "../../../provider/kinds/index.gen";
import { nearest } from "../../../provider/values/nearest";
import { isObject } from "../../../provider/wire/json";
import type { Standards } from "../../../sdk/standards/index";
import { CommandError } from "../../report/output";

const names = ["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `observability.standards.${ending}`);

/** The standards' file of a program, or that of the current folder; undefined if there is none. */
export function standardsFile(folder: string): string | undefined {
  return [folder, "."].flatMap((each) => names.map((name) => resolve(each, name))).find((path) => existsSync(path));
}

/** Reads the rules that a file exports as its default. */
export async function loadStandards(path: string): Promise<Standards> {
  if (!existsSync(path)) throw new CommandError(`"${path}": there is no such file`);
  const standards = exported(await load(resolve(path), path));
  const problem = problemOf(standards);
  if (problem !== undefined) throw new CommandError(`"${path}" ${problem}`);
  return standards as Standards; // its kinds and functions were just checked
}

async function load(path: string, shown: string): Promise<unknown> {
  try {
    if (!/\.[cm]?ts$/.test(path)) return await import(pathToFileURL(path).href);
    readTypeScript(path);
    return createRequire(path)(path);
  } catch (error) {
    throw new CommandError(`unable to load "${shown}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What was exported as the default, also by a module that was compiled to CommonJS, whose exports are a default too. */
const exported = (module: unknown) => defaultOf(defaultOf(module));

const defaultOf = (value: unknown) => (isObject(value) && "default" in value ? value.default : value);

/**
 * Lets this process load TypeScript as Pulumi runs programs: with the project's own compiler, else with the one inside
 * Pulumi's SDK. Types are not checked; that is the work of the project's own tsc.
 */
function readTypeScript(path: string): void {
  const compiler = compilerFor(path);
  const compile = (module: NodeJS.Module, file: string) => {
    const { outputText, diagnostics = [] } = compiler.transpileModule(readFileSync(file, "utf8"), {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions: {
        module: compiler.ModuleKind.CommonJS,
        target: compiler.ScriptTarget.ES2020,
        esModuleInterop: true,
      },
    });
    const [problem] = diagnostics;
    if (problem !== undefined) throw new SyntaxError(`${file}:${lineOf(problem)}: ${wordsOf(problem.messageText)}`);
    // Not in Node's typings; what every loader of TypeScript calls.
    (module as NodeJS.Module & { _compile(text: string, file: string): void })._compile(outputText, file);
  };
  for (const ending of [".ts", ".mts", ".cts"]) createRequire(path).extensions[ending] = compile;
}

/** As much of the package typescript as is used here. */
interface Compiler {
  readonly ModuleKind: { readonly CommonJS: number };
  readonly ScriptTarget: { readonly ES2020: number };
  transpileModule(
    text: string,
    options: object,
  ): { readonly outputText: string; readonly diagnostics?: readonly Diagnostic[] };
}

interface Diagnostic {
  readonly messageText: string | { readonly messageText: string };
  readonly start?: number;
  readonly file?: { readonly text: string };
}

const wordsOf = (text: Diagnostic["messageText"]) => (typeof text === "string" ? text : text.messageText);

const lineOf = ({ file, start = 0 }: Diagnostic) => file?.text.slice(0, start).split("\n").length ?? 1;

function compilerFor(path: string): Compiler {
  const near = createRequire(path);
  const ways = [
    () => near("typescript") as Compiler,
    () => {
      const sdk = dirname(near.resolve("@pulumi/pulumi/package.json"));
      return near(join(sdk, "vendor/typescript@3.8.3/typescript.js")) as Compiler;
    },
  ];
  for (const way of ways) {
    try {
      return way();
    } catch {
      // Not there.
    }
  }
  throw new Error("there is no TypeScript compiler: add typescript to the devDependencies");
}

function problemOf(standards: unknown): string | undefined {
  if (!isObject(standards)) return "must export its rules as the default: export default { Monitor: { … } }";
  const known = kinds.map(({ name }) => name);
  for (const [kind, rules] of Object.entries(standards)) {
    if (!known.includes(kind)) {
      const near = nearest(kind, known);
      return `has rules of an unknown kind "${kind}": ${near === undefined ? `kinds are ${known.join(", ")}` : `did you mean ${near}?`}`;
    }
    if (!isObject(rules)) return `must give the rules of ${kind} as an object of functions by name`;
    const wrong = Object.entries(rules).find(([, rule]) => typeof rule !== "function");
    if (wrong !== undefined) return `must give the rule "${wrong[0]}" of ${kind} as a function`;
  }
  return undefined;
}
