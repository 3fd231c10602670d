import * as pulumi from "@pulumi/pulumi";
import type * as misspelled from "../provider/client/misspelled";
import { environmentVariable } from "../provider/schema/names";
import { settingNames } from "./providerArgs.gen";

/** The provider's settings, and the one that the classes read. */
const known: readonly string[] = [...settingNames, "host"];

/**
 * Warns about names that are almost a setting's. Other names may be intended: a project may be called "observability", and
 * a program may pass more than the provider reads.
 * @param place The words before the name in the warning.
 */
export function warnOfMisspelled(place: string, names: readonly string[]): void {
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length > 0) void warn(({ misspelledSettings }) => misspelledSettings(place, strange));
}

/** Warns about environment variables that are almost a setting's. */
export function warnOfMisspelledVariables(): void {
  const variables = known.map(environmentVariable);
  // The prefix may be misspelled too.
  const beginning = environmentVariable("").slice(0, 3);
  const strange = Object.keys(process.env).filter((name) => name.startsWith(beginning) && !variables.includes(name));
  if (strange.length > 0) void warn(({ misspelledVariables }) => misspelledVariables(process.env));
}

/** Most programs have nothing strange: what finds the nearest name is loaded late. */
async function warn(find: (module: typeof misspelled) => readonly string[]): Promise<void> {
  for (const text of find(await import("../provider/client/misspelled.js"))) await pulumi.log.warn(text);
}
