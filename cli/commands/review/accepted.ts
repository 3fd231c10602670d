import { existsSync } from "node:fs";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { meant } from "../../../provider/base/nearest";
import { timeIn } from "../../../provider/base/durations";
import { kinds } from "../../../provider/kinds/index.gen";
import { riskClasses } from "../../consequences/risk";
import { readText } from "../../output/files";
import { CommandError } from "../../output/output";
import { listed, quote } from "../../output/words";
import { type Acceptance, onOneLine } from "../../review/accepted";

const usual = "review.accepted.yaml";
const required = ["class", "object", "reason", "until"] as const;
const keys: readonly string[] = [...required, "text", "stack"];
const needed = `An entry has ${listed(required)}`;
const without = "Without accepted risks, delete the file";
const quoting = "Put a string that contains a colon in quotes";

/**
 * Reads the accepted risks: those of the file, or of the usual one in the current folder if there is one.
 * @throws {CommandError} with all mistakes, each with its file and line
 */
export function acceptedRisks(file?: string): readonly Acceptance[] {
  if (file === undefined && !existsSync(usual)) return [];
  const path = file ?? usual;
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(readText(path), { lineCounter: lines, prettyErrors: false });
  const placeOf = (position = 0) => `${path}:${Math.max(1, lines.linePos(position).line)}`;
  const placeOfNode = (node: unknown) => placeOf(isNode(node) ? node.range?.[0] : undefined);
  const [invalid] = errors;
  if (invalid) throw new CommandError(`${placeOf(invalid.pos[0])}: not valid YAML: ${invalid.message}. ${quoting}`);
  const isOrNot = contents === null ? "is empty" : "is not a list";
  if (!isSeq(contents)) throw new CommandError(`${placeOfNode(contents)}: the file ${isOrNot}. ${needed}. ${without}`);
  const mistakes: string[] = [];
  const entries = contents.items.map((item): Acceptance => {
    const place = placeOfNode(item);
    const fields = new Map<string, string>();
    for (const { key, value } of isMap(item) ? item.items : []) {
      const [name, text] = [String(key), isScalar(value) ? value.value : undefined];
      const problem = problemIn(name, text);
      if (problem !== undefined) mistakes.push(`${placeOfNode(key)}: ${problem}`);
      fields.set(name, onOneLine(String(text)));
    }
    const missing = required.filter((name) => !fields.has(name));
    if (missing.length > 0) mistakes.push(`${place}: ${listed(missing)} missing. ${needed}`);
    return { place, ...Object.fromEntries(fields) } as unknown as Acceptance; // Anything else is a mistake.
  });
  entries.forEach((entry, i) => {
    const twin = entries.slice(0, i).find((each) => isSame(each, entry));
    if (twin) mistakes.push(`${entry.place}: accepts the same risk as ${twin.place}. Remove one of the two`);
  });
  if (mistakes.length > 0) throw new CommandError(mistakes.join("\n"));
  return entries;
}

const isSame = (one: Acceptance, other: Acceptance) =>
  (["class", "object", "text"] as const).every((key) => one[key] === other[key]) &&
  (one.stack ?? other.stack) === (other.stack ?? one.stack);

/** What is wrong with a key or its value. */
function problemIn(key: string, value: unknown): string | undefined {
  if (!keys.includes(key)) return `unknown key ${quote(key)}. ${meant(key, keys) ?? `Keys are ${listed(keys)}`}`;
  if (key === "until") return isDay(String(value)) ? undefined : `until must be a day, such as 2026-12-31`;
  if (typeof value !== "string" || value.trim() === "") return `${key} must be a string. Put it in quotes`;
  if (key === "class" && !riskClasses.some((each) => each === value))
    return `unknown class ${quote(value)}. ${meant(value, riskClasses) ?? `Classes are ${listed(riskClasses)}`}`;
  if (key !== "object") return undefined;
  const [, kind] = /^(\S+)\s+\S/.exec(value) ?? [];
  const names = kinds.map(({ name }) => name);
  if (kind === undefined) return `object must be a kind and a name, such as "Monitor checkout-errors"`;
  return names.includes(kind)
    ? undefined
    : `unknown kind ${quote(kind)}. ${meant(kind, names) ?? `Kinds are ${listed(names)}`}`;
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && timeIn(text) !== undefined;
