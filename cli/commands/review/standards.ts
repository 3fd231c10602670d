import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { kinds } from "../../../provider/kinds/index.gen";
import { meant } from "../../../provider/base/nearest";
import { isObject } from "../../../provider/wire/json";
import type { Standards } from "../../../sdk/standards/index";
import { CommandError, reasonOf } from "../../output/output";

const names = ["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `observability.standards.${ending}`);

/** The standards' file of a program, or that of the current folder; undefined if there is none. */
export function standardsFile(folder: string): string | undefined {
  return [folder, "."].flatMap((each) => names.map((name) => resolve(each, name))).find((path) => existsSync(path));
}

/** Reads the rules that a file exports as its default. */
export async function loadStandards(path: string): Promise<Standards> {
  if (!existsSync(path)) throw new CommandError(`the file "${path}" does not exist`);
  // Loaded late: most programs have no standards.
  const { defaultExportOf } = await import("../../../sdk/teams/definition/defaultExport.js");
  const standards = await defaultExportOf(resolve(path)).catch((error: unknown) => {
    throw new CommandError(`can't load "${path}": ${reasonOf(error)}`);
  });
  const problem = problemOf(standards);
  if (problem !== undefined) throw new CommandError(`"${path}" ${problem}`);
  return standards as Standards; // its kinds and functions were just checked
}

const howToExport =
  "Export them as the default: export default { Monitor: { … } }, or in CommonJS module.exports = { … }";

function problemOf(standards: unknown): string | undefined {
  if (!isObject(standards)) return `exports no rules. ${howToExport}`;
  const known = kinds.map(({ name }) => name);
  const { textLabels = [], ...byKind } = standards;
  if (!Array.isArray(textLabels) || textLabels.some((label) => typeof label !== "string"))
    return 'must export textLabels as a list of labels: textLabels: ["summary"]';
  for (const [kind, rules] of Object.entries(byKind)) {
    if (!known.includes(kind))
      return `has rules for an unknown kind "${kind}". ${meant(kind, known) ?? `Kinds are ${known.join(", ")}.`}`;
    if (!isObject(rules)) return `must export the rules for ${kind} as an object of functions by name`;
    const wrong = Object.entries(rules).find(([, rule]) => typeof rule !== "function");
    if (wrong !== undefined) return `must export the rule "${wrong[0]}" for ${kind} as a function`;
  }
  const isEmpty = Object.values(byKind).every((rules) => Object.keys(Object(rules)).length === 0);
  return isEmpty && standards.textLabels === undefined ? `has no rules. ${howToExport}` : undefined;
}
