import { environmentVariable, namespace } from "../../../provider/schema/names";
import { entries, isObject, parseJson } from "../../../provider/wire/json";
import { Folder } from "../../program/folder";
import { variableFor } from "../../program/names";
import { readText } from "../../output/files";
import { CommandError, exitStatus, type Output } from "../../output/output";
import { count } from "../../output/words";
import { pulumi, stackArgs } from "../../pulumi/pulumi";
import { askHidden } from "./ask";

export interface SecretsOptions {
  readonly stack?: string | undefined;
  readonly env?: boolean | undefined;
  /** Include secrets that are already set. */
  readonly all?: boolean | undefined;
}

/** The token is needed in addition to the program's secrets: nothing runs without it. */
const tokenKey = `${namespace}:apiToken`;

/** Sets the secrets of the program in the current folder. Values go only to the standard input of the CLI. */
export async function setSecrets({ stack, env, all }: SecretsOptions, output: Output): Promise<void> {
  const { secrets, isNew } = new Folder(".");
  if (isNew) {
    throw new CommandError(
      "this folder contains no program that import or convert wrote. Change to the folder that you passed as --out.",
    );
  }
  const chosen = stackArgs({ folder: ".", stack });
  const isSet = await settings(chosen);
  const wanted = [...new Set([tokenKey, ...secrets])].filter((key) => all === true || !isSet(key));
  const [set, missing]: [string[], string[]] = [[], []];
  for await (const [key, value] of valuesOf(env === true, wanted)) {
    if (value === undefined || value === "") {
      missing.push(key);
      continue;
    }
    output.progress(`setting ${key}`);
    // The CLI removes one line feed.
    const { status, reason } = await pulumi(".", ["config", "set", "--secret", key, ...chosen], `${value}\n`);
    if (status !== 0) throw new CommandError(`can't set "${key}": ${reason}`);
    set.push(key);
  }
  const kept = secrets.length + 1 - wanted.length;
  output.line(`set ${count(set.length, "secret")}${kept > 0 ? `; ${kept} already set (--all sets all again)` : ""}`);
  for (const key of missing) {
    const variable = variableOf(key);
    const way =
      env === true ? `Set the environment variable ${variable}` : `Enter one, or set ${variable} and pass --env`;
    output.warn(`no value for ${key}. ${way}.`);
  }
  if (missing.length > 0) process.exitCode = exitStatus.rejected;
  output.result({ command: "secrets", set, missing });
}

/** Whether a key is in the stack's config. */
async function settings(chosen: readonly string[]): Promise<(key: string) => boolean> {
  const { status, stdout, reason } = await pulumi(".", ["config", "--json", ...chosen]);
  if (status !== 0) {
    throw new CommandError(`can't read the stack's config: ${reason}. See "pulumi stack select --create".`);
  }
  const names = new Set(Object.keys(entries(parseJson(stdout))));
  // The program's own keys have the project's name as prefix.
  const own = [...names].flatMap((name) =>
    name.startsWith(`${namespace}:`) ? [] : [name.slice(name.indexOf(":") + 1)],
  );
  return (key) => names.has(key) || own.includes(key);
}

async function* valuesOf(
  isEnvironment: boolean,
  wanted: readonly string[],
): AsyncGenerator<readonly [string, string | undefined], void, undefined> {
  if (wanted.length === 0) return;
  if (!isEnvironment && process.stdin.isTTY === true) return yield* askHidden(wanted);
  const given = isEnvironment ? undefined : valuesIn(readText("-"));
  const unknown = Object.keys(given ?? {}).filter((key) => !wanted.includes(key));
  if (unknown.length > 0) {
    throw new CommandError(
      `standard input contains ${unknown.join(", ")}, which the program does not read or which is already set (see --all)`,
    );
  }
  for (const key of wanted) yield [key, given === undefined ? process.env[variableOf(key)] : given[key]];
}

/** Values by key, from a JSON object or from lines like `routingKey=value`. */
function valuesIn(text: string): Readonly<Record<string, string>> {
  if (text.trimStart().startsWith("{")) {
    const object = parseJson(text);
    // The text itself may contain a secret.
    if (!isObject(object)) throw new CommandError("standard input starts like a JSON object, but is not valid JSON");
    const wrong = Object.keys(object).find((key) => isObject(object[key]) || Array.isArray(object[key]));
    if (wrong !== undefined) throw new CommandError(`the value of "${wrong}" on standard input is not a string`);
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, String(value ?? "")]));
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line, i) => {
      const at = line.indexOf("=");
      // The line itself may be a secret.
      if (at < 1) throw new CommandError(`line ${i + 1} of standard input must look like routingKey=value`);
      return [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}

const variableOf = (key: string): string => (key === tokenKey ? environmentVariable("apiToken") : variableFor(key));
