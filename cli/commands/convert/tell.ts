import { formatPath } from "../../../provider/schema/walk";
import { grouped } from "../../../provider/base/grouped";
import { changeText } from "../../consequences/values";
import type { Declared } from "../../program/item";
import { kindNameOfId } from "../../program/write";
import { tellList } from "../../program/tell";
import type { Output } from "../../output/output";
import { count, firstOf, plainly } from "../../output/words";
import type { ComparedItem } from "./comparison";
import type { Converted, Loss } from "./conversion";
import type { Division, Earlier } from "./division";

interface Items extends Pick<Division, "gone" | "copies"> {
  readonly added: readonly Converted[];
  readonly existing: readonly ComparedItem[];
  readonly changed: readonly ComparedItem[];
  /** Those that an earlier run wrote and that the program doesn't declare, as far as is known. */
  readonly missing: readonly ComparedItem[];
}

interface Where {
  readonly out: string;
  /** The stack whose preview was compared, if one was. */
  readonly stack: string | undefined;
  readonly declares: (id: string) => boolean;
}

/** Lists what is new, what the program already declares, and in what the source and the program differ. */
export function tellItems(
  output: Output,
  { added, existing, changed, gone, copies, missing }: Items,
  { out, stack, declares }: Where,
): void {
  const placed = ({ source, kind, name }: Converted) => `${source.file}:${source.line}: ${kind.name} "${name}"`;
  const place = ({ file }: Declared) => stack ?? `${file}.ts`;
  const named = ({ item, declared, isThere }: ComparedItem) =>
    `${placed(item)}${isThere ? ` in ${place(declared)}` : ""}`;
  const changes = ({ differences, lost }: ComparedItem) =>
    [
      ...differences.map(({ path, actual, desired }) => `${formatPath(path)}: ${changeText(actual, desired)}`),
      ...lost.map((text) => `newly lost: ${text}`),
    ].join("; ");
  const withChanges = (each: ComparedItem) => {
    const isUnknown = stack === undefined && each.declared.converted !== undefined;
    if (changes(each) !== "") return [plainly(`${named(each)} changes: ${changes(each)}`)];
    return isUnknown ? [`${named(each)} changes, and an earlier version recorded no fields`] : [];
  };
  const isFirst = existing.length + missing.length + gone.length === 0;
  tellList(output, "New in the source:", isFirst ? [] : added.map(placed));
  tellList(output, "The program already declares these, and their code is not changed:", existing.map(named));
  const since = "Changed in the source since they were converted, and not in the program:";
  tellList(
    output,
    stack === undefined ? since : `Different in the source and in ${stack}:`,
    changed.flatMap(withChanges),
  );
  tellList(
    output,
    "In the program with other arguments, so they are not written:",
    changed.flatMap((each) => (each.isThere && withChanges(each).length === 0 ? [named(each)] : [])),
  );
  const formerly = ({ id, declared, origin }: Earlier) =>
    `${origin.file}: ${kindNameOfId(id)} "${declared.name}"${declares(id) ? ` in ${place(declared)}` : ""}`;
  const where = stack ?? `the TypeScript files of "${out}"`;
  const still = gone.filter(({ id }) => declares(id));
  const away = gone.filter(({ id }) => !declares(id));
  tellList(output, "No longer in the source, and still in the program:", still.map(formerly));
  tellList(output, `No longer in the source, and not found in ${where}:`, away.map(formerly));
  tellList(
    output,
    "Not written, because the program already declares the same:",
    copies.map(({ item, of }) => `${placed({ ...item, name: item.source.name })} is "${of}"`),
  );
  const hidden = existing.flatMap((each) => each.hidden.map((text) => `${named(each)}: ${text}`));
  tellList(output, "Can't be compared:", hidden);
  const lacking = missing.map(({ item }) => placed(item));
  tellList(output, `Not found in ${where}, and not written again:`, stack === undefined ? firstOf(lacking) : lacking);
  if (changed.length + gone.length + copies.length > 0)
    output.line(
      "\nIf the program is right as it is, run the command once with --accept: it then stops reporting these.",
    );
  const [first] = missing;
  if (first === undefined) return;
  const compare = stack === undefined ? "To compare them with what the program declares, add --stack. " : "";
  output.line(
    `\n${compare}To write one again, remove its entry, such as "${first.id}", from pulumi-observability.json.`,
  );
}

/** Prints each kind of loss once per file. */
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
  if (ofItems > 0)
    output.warn(`${count(ofItems, "loss", "losses")} in resources; each is a comment above its resource`);
  const effective = losses.filter(({ hasEffect }) => hasEffect).length;
  if (effective > 0) {
    const what = "change what fires, which data is read, or who is notified of what";
    output.warn(`${effective} of ${count(losses.length, "loss", "losses")} may ${what}, so the exit status is 3`);
  }
}

const value = /"(?:[^"\\]|\\.)*"|(?<![\w"])\d[\w.]*/g;

/** The common part of texts of one kind: the text without names and numbers. */
const withoutValues = (text: string) => text.replace(value, (each) => (each.startsWith('"') ? '"…"' : "…"));

/** The first name or number of each text that is not in all of them; of many, some. */
function differing(losses: readonly Loss[]): readonly string[] {
  const all = losses.map(({ text }): readonly string[] => text.match(value) ?? []);
  const found = [
    ...new Set(all.flatMap((own) => own.find((each) => !all.every((values) => values.includes(each))) ?? [])),
  ];
  return firstOf(found);
}
