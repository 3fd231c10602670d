import { readdirSync } from "node:fs";
import { join } from "node:path";
import { effects } from "../../dist/provider/schema/effect.js";
import type { Fields, InterfaceOperation, Paths, Witness, WireType } from "./witness.js";

const folder = join(import.meta.dirname, "kinds");

/** A witness, with what its fields' words say. */
interface ReadWitness extends Witness {
  /** The type of every leaf. */
  readonly paths: Paths;
  /** What else is said of each field: `"selects promql"`. Each leaf has a meaning. */
  readonly readings: Fields;
}

/** What each file of test/witness/kinds exports under its own name. */
export const witnesses: readonly ReadWitness[] = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const found = await import(join(folder, file));
    return read(found[file.replace(/\.ts$/, "")]);
  }),
);

function read(witness: Witness): ReadWitness {
  const types = /^(?:(?:secret )?(?:string|map)|enum|boolean|integer|number|date-time)\b/;
  const said = Object.entries(witness.fields).map(([path, words]) => {
    const [type] = types.exec(words) ?? [];
    const [first = "", ...rest] = words.replace(types, "").trim().split(" ");
    const own = Object.hasOwn(effects, first) ? first : undefined;
    return { path, type, own, others: own === undefined ? [first, ...rest] : rest };
  });
  const meaningAt = (path: string) =>
    said
      .filter(
        ({ path: around, own }) =>
          own !== undefined &&
          (path === around || (/^[.[]/.test(path.slice(around.length)) && path.startsWith(around))),
      )
      .sort((a, b) => b.path.length - a.path.length)[0]?.own ?? "";
  const readings = said.map(({ path, type, others }) => [
    path,
    [type === undefined || type === "date-time" ? "" : meaningAt(path), ...others].join(" ").trim(),
  ]);
  return {
    ...witness,
    // The types are those of the expression above.
    paths: Object.fromEntries(said.flatMap(({ path, type }) => (type === undefined ? [] : [[path, type as WireType]]))),
    readings: Object.fromEntries(readings.filter(([, words]) => words !== "")),
  };
}

/** What a failed test says of a kind without a witness. */
export const missing = (kind: string) => `write the witness of ${kind} into test/witness/kinds, as its neighbors are`;

export function witnessOf(kind: string): ReadWitness {
  const found = witnesses.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(missing(kind));
  return found;
}

/** Every operation that the API spec describes. */
export const interfaceOperations: Readonly<Record<string, InterfaceOperation>> = Object.assign(
  {},
  ...witnesses.map(({ operations }) => operations),
);

/** An object on the wire as the service shows it: with a mask instead of every secret. */
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
