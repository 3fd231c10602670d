import { grouped } from "../../../provider/values/grouped";
import type { Output } from "../../report/output";
import { count } from "../../report/words";
import type { Compared } from "./compare";
import type { Loss, Refused } from "./conversion";
import type { Settled } from "./settle";

/** Tells what the files say otherwise than when it was written. */
export function tellChanged(output: Output, changed: readonly Compared[], updated: readonly Compared[]): void {
  for (const each of changed) {
    const { item, declared } = each.known;
    const { file, line } = item.source;
    const done = updated.includes(each)
      ? "is written anew"
      : each.isEdited
        ? "was edited, and is left as it is"
        : "is left as it is; --update writes it anew";
    output.line(`\n${file}:${line}: ${item.kind.name} "${item.name}" has changed; in ${declared.file}.ts it ${done}`);
    for (const text of each.difference) output.line(`  ${text}`);
  }
}

/** Tells what the files do not say any more. */
export function tellRemoved(output: Output, removed: Settled["removed"], refused: readonly Refused[]): void {
  for (const { id, declared, file } of removed) {
    const [kind = "", slug = ""] = id.split("/");
    const hint = refused.some((each) => each.file === file) ? " (see what is refused in it)" : "";
    output.line(
      `\n${file} no longer has ${kind} "${slug}"${hint}; ${declared.file}.ts still declares it as ${declared.variable}`,
    );
  }
}

/** Tells what an earlier run wrote and somebody took out. */
export function tellMissing(output: Output, missing: readonly Compared[]): void {
  for (const { known } of missing) {
    const { item, declared, id } = known;
    output.line(
      `\n${item.kind.name} "${item.name}" is not in ${declared.file}.ts any more, and is not written again; to have it back, take "${id}" out of pulumi-observability.json`,
    );
  }
}

/** Tells each kind of loss once for each file. */
export function tellLosses(output: Output, losses: readonly Loss[]): void {
  const groups = grouped(losses, ({ file, kind, text }) =>
    JSON.stringify([file, kind === undefined, withoutValues(text)]),
  );
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    const isSame = others.every(({ text }) => text === first.text);
    const which = isSame ? "" : `: ${differing([first, ...others]).join(", ")}`;
    const often = others.length === 0 ? "" : ` (${count(others.length + 1, "time")}${which})`;
    output.warn(`${first.file}:${first.line}: ${isSame ? first.text : withoutValues(first.text)}${often}`);
  }
  const ofItems = losses.filter(({ kind }) => kind !== undefined).length;
  if (ofItems > 0) output.warn(`${count(ofItems, "loss", "losses")} of resources, each said above its resource`);
}

const value = /"(?:[^"\\]|\\.)*"|(?<![\w"])\d[\w.]*/g;

/** What texts of one kind have in common: the same without names and numbers. */
const withoutValues = (text: string) => text.replace(value, (each) => (each.startsWith('"') ? '"…"' : "…"));

/** The first name or number of each text that is not in all of them; of many, some. */
function differing(losses: readonly Loss[]): readonly string[] {
  const all = losses.map(({ text }): readonly string[] => text.match(value) ?? []);
  const found = [
    ...new Set(all.flatMap((own) => own.find((each) => !all.every((values) => values.includes(each))) ?? [])),
  ];
  return found.length > mostNamed ? [...found.slice(0, mostNamed), "…"] : found;
}

const mostNamed = 8;
