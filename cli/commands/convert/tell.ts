import { formatPath } from "../../../provider/schema/walk";
import { describeDifferences, type Difference, differences } from "../../../provider/values/differences";
import { grouped } from "../../../provider/base/grouped";
import type { JsonObject } from "../../../provider/wire/json";
import { withSecrets } from "../../program/item";
import { kindNameOfId } from "../../program/write";
import { tellList } from "../../program/tell";
import type { Output } from "../../output/output";
import { count, firstOf } from "../../output/words";
import type { Loss } from "./conversion";
import type { Division, KnownItem } from "./division";

/** Arguments without secrets, as they are recorded. */
export const withoutConfigSecrets = (args: JsonObject) => withSecrets(args, () => undefined) as JsonObject; // An object stays one.

/** What the source changes in an item since an earlier run wrote it. */
function differencesOf({ item, declared }: KnownItem): readonly Difference[] {
  const { converted: { args } = {} } = declared;
  const now = withoutConfigSecrets(item.args);
  return args === undefined ? [] : differences(item.kind.root, now, args, () => false);
}

/** The same, by field. */
export const changesOf = (known: KnownItem) =>
  differencesOf(known).map(({ path, actual, desired }) => ({ path: formatPath(path), old: actual, new: desired }));

interface Items extends Pick<Division, "existing" | "gone" | "copies"> {
  readonly changed: readonly KnownItem[];
  /** Those that an earlier run wrote and that are no longer there. */
  readonly missing: readonly KnownItem[];
}

/** Lists what the program already declares, and in what the source and the program differ. */
export function tellItems(output: Output, { existing, changed, gone, copies, missing }: Items): void {
  const named = ({ item: { source, kind, name }, declared }: KnownItem) =>
    `${source.file}:${source.line}: ${kind.name} "${name}" in ${declared.file}.ts`;
  const isConverted = ({ declared }: KnownItem) => declared.converted !== undefined;
  const changes = (known: KnownItem) => describeDifferences(known.item.kind.root, differencesOf(known), (text) => text);
  tellList(output, "The program already declares these, and their code is not changed:", existing.map(named));
  tellList(
    output,
    "Changed in the source since they were converted, and not in the program:",
    changed.flatMap((each) => (isConverted(each) ? [`${named(each)} ${changes(each)}`] : [])),
  );
  tellList(
    output,
    "In the program with other arguments, so they are not written:",
    changed.flatMap((each) => (isConverted(each) ? [] : [named(each)])),
  );
  tellList(
    output,
    "No longer in the source, and still in the program:",
    gone.map(
      ({ id, declared, origin }) => `${origin.file}: ${kindNameOfId(id)} "${declared.name}" in ${declared.file}.ts`,
    ),
  );
  tellList(
    output,
    "Not written, because the program already declares the same:",
    copies.map(
      ({ item: { source, kind }, of }) => `${source.file}:${source.line}: ${kind.name} "${source.name}" is "${of}"`,
    ),
  );
  if (changed.length + gone.length + copies.length > 0)
    output.line(
      "\nIf the program is right as it is, run the command once with --accept: it then stops reporting these.",
    );
  for (const { item, declared, id } of missing) {
    output.line(
      `\n${item.kind.name} "${item.name}" is no longer in ${declared.file}.ts, so it is not written again. To restore it, remove "${id}" from pulumi-observability.json.`,
    );
  }
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
