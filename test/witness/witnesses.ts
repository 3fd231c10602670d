import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { InterfaceOperation, Witness } from "./witness.js";

const folder = join(import.meta.dirname, "kinds");

/** What each file of test/witness/kinds exports under its own name. */
export const witnesses: readonly Witness[] = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const found = await import(join(folder, file));
    return found[file.replace(/\.ts$/, "")];
  }),
);

/** What a failed test says of a kind without a witness. */
export const missing = (kind: string) => `write the witness of ${kind} into test/witness/kinds, as its neighbours are`;

export function witnessOf(kind: string): Witness {
  const found = witnesses.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(missing(kind));
  return found;
}

/** Every operation that the interface document describes. */
export const interfaceOperations: Readonly<Record<string, InterfaceOperation>> = Object.assign(
  {},
  ...witnesses.map(({ operations }) => operations),
);

/** An object on the wire as the service shows it: with a mask in the place of every secret. */
export function masked(kind: string, object: unknown): unknown {
  const { paths } = witnessOf(kind);
  const shown = (value: unknown, path: string, isSecret = paths[path] === "secret string"): unknown => {
    if (isSecret) return "**REDACTED**";
    if (Array.isArray(value)) return value.map((each) => shown(each, `${path}[]`));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const isSecretMap = paths[path] === "secret map";
    return Object.fromEntries(
      entries.map(([key, each]) => [key, shown(each, path === "" ? key : `${path}.${key}`, isSecretMap || undefined)]),
    );
  };
  return shown(object, "");
}
