import { hash } from "node:crypto";
import { grouped } from "../../../provider/base/grouped";
import { formatPath, type Path } from "../../../provider/schema/walk";
import { type Difference, differences } from "../../../provider/values/differences";
import { copyAt } from "../../../provider/values/ignored";
import { entries, isObject, type JsonObject } from "../../../provider/wire/json";
import { masked } from "../../../sdk/engine/preview";
import { hiddenIn, shownAt } from "../../meaning/hidden";
import { isEquivalentInReview } from "../../meaning/normalForm";
import { CommandError } from "../../output/output";
import { type Change, changeByUrn, type StackPreview } from "../../preview/stackPreview";
import type { Folder } from "../../program/folder";
import { type ConvertedFrom, type Declared, type Item, withSecrets } from "../../program/item";
import { declarationText, kindNameOfId } from "../../program/write";
import type { Converted } from "./conversion";
import { type KnownItem, originFrom } from "./division";

/** A known item, and how its source differs from what an earlier run wrote, or from what the program declares. */
export interface ComparedItem extends KnownItem {
  readonly isThere: boolean;
  /** Whether there is something to report. */
  readonly isChanged: boolean;
  /** By field; empty if nothing is known of the other side. */
  readonly differences: readonly Difference[];
  /** What the conversion loses with an effect, and did not lose before. */
  readonly lost: readonly string[];
  /** The values of the program that a preview hides, each a clause. */
  readonly hidden: readonly string[];
  /** What is to be recorded of it as accepted, unless it is reported. */
  readonly accepted: string | undefined;
}

/** What the next run needs to recognize an item and to compare it, without secrets. */
export const recordOf = (item: Converted, folder: Folder): ConvertedFrom => ({
  origin: originFrom(item, folder),
  args: withSecrets(item.args, () => masked),
  lost: effectiveLosses(item),
});

const effectiveLosses = ({ lost }: Converted) => lost.flatMap(({ text, hasEffect }) => (hasEffect ? [text] : []));

/**
 * Compares with what a preview shows that the program declares. Without one, with what an earlier run wrote, unless the program
 * has the same code by now.
 */
export function compareItem(known: KnownItem, folder: Folder, preview: PreviewedProgram | undefined): ComparedItem {
  const { item, id, origin, declared } = known;
  const { args: recorded, lost: before, accepted } = declared.converted ?? {};
  const { root } = item.kind;
  // Earlier versions recorded neither the places of secrets nor losses.
  const isOld = declared.converted !== undefined && before === undefined;
  const now = withSecrets(item.args, () => (isOld ? undefined : masked));
  const lost = before === undefined ? [] : effectiveLosses(item).filter((text) => !before.includes(text));
  if (preview === undefined) {
    const isThere = folder.declares(id);
    const text = () => declarationText(item, id, { ...folder.found, ...folder.declared });
    const isSame = item.source.said === origin.said || (isThere && folder.declaresSo(id, text()));
    const found = isSame || recorded === undefined ? [] : differences(root, now, recorded, () => false);
    const isChanged = lost.length > 0 || found.length > 0 || (!isSame && recorded === undefined);
    return { ...known, isThere, isChanged, differences: found, lost, hidden: [], accepted };
  }
  const there = preview.changesOf(id).map((change) => programSide(change, item, now, recorded));
  const desired = named(item, now);
  // Of a resource that the program declares several times, one that differs is enough.
  const differing = there.find((side) => !isEquivalentInReview(root, side.args, desired));
  const found = differing === undefined ? [] : differences(root, desired, differing.args, () => false);
  const isThere = there.length > 0;
  const isDifferent = !isThere || found.length > 0;
  const digest = isDifferent ? hash("sha256", JSON.stringify(found.map(fieldChangeOf))).slice(0, 16) : undefined;
  const isChanged = lost.length > 0 || (isDifferent && digest !== accepted);
  const hidden = [...new Set(there.flatMap((side) => side.hidden))];
  return { ...known, isThere, isChanged, differences: found, lost, hidden, accepted: digest };
}

/** A difference for JSON. */
export const fieldChangeOf = ({ path, actual, desired }: Difference) => ({
  path: formatPath(path),
  old: actual,
  new: desired,
});

/** With the display name that the provider adds. */
const named = ({ kind, name }: Pick<Item, "kind" | "name">, args: JsonObject): JsonObject =>
  kind.isSingleton ? args : { name, ...args };

/** The arguments of the program, of those that the source can have: what is hidden is as it is recorded. */
function programSide(change: Change, item: Converted, now: JsonObject, recorded = now) {
  const { fields } = item.kind.args;
  const { slug, ...others } = change.after ?? {};
  // Labels that the program adds, or the provider by a setting, are not the source's.
  const isOfSource = (name: string, key: string) =>
    [now, recorded].some((side) => Object.hasOwn(entries(side[name]), key));
  const own = Object.entries(others).map(([name, value]) =>
    fields[name]?.options.defaultsFrom === undefined || !isObject(value)
      ? [name, value]
      : [name, Object.fromEntries(Object.entries(value).filter(([key]) => isOfSource(name, key)))],
  );
  const args: JsonObject = { ...(item.args.slug === undefined ? {} : { slug }), ...Object.fromEntries(own) };
  const hidden = hiddenIn(args);
  const isSecret = (path: Path) => shownAt(now, path) === masked;
  const filled = hidden.reduce<unknown>(
    (value, { path }) => copyAt(value, isSecret(path) ? now : named(item, recorded), path),
    args,
  );
  return { args: filled as JsonObject /* An object stays one. */, hidden: hidden.map(({ text }) => text) };
}

/** A resource that is looked for. */
interface Wanted {
  readonly id: string;
  readonly name: string;
  /** The display name. */
  readonly title: unknown;
}

/** What an earlier run wrote. */
export const wantedOf = ([id, { name, converted }]: readonly [string, Declared]): Wanted => ({
  id,
  name,
  title: converted?.args?.name ?? name,
});

/** The resources that a preview shows a program to declare. */
export class PreviewedProgram {
  readonly stack: string;
  #free: readonly Change[];
  readonly #found = new Map<string, readonly Change[]>();

  /**
   * @param known The resources that earlier runs wrote, by `idOf`.
   * @throws {CommandError} if the preview lacks some of the resources
   */
  constructor({ stack, changes, isPartial }: StackPreview, known: Folder["declared"]) {
    if (isPartial)
      throw new CommandError(`the preview of ${stack} lacks unchanged resources. Run it with --show-sames.`);
    this.stack = stack;
    this.#free = [...changeByUrn(changes).values()].filter(({ after }) => after !== undefined);
    this.lookFor(Object.entries(known).map(wantedOf));
  }

  declares(id: string): boolean {
    return this.#found.has(id);
  }

  changesOf(id: string): readonly Change[] {
    return this.#found.get(id) ?? [];
  }

  /** Gives back the resources of these, so that others can be found in their place. */
  release(ids: readonly string[]): void {
    this.#free = [...this.#free, ...ids.flatMap((id) => this.changesOf(id))];
    for (const id of ids) this.#found.delete(id);
  }

  /** Looks for resources by slug, then by Pulumi name, then by display name: a component or a setting may change the first two. */
  lookFor(all: readonly Wanted[]): void {
    const keysOf = [
      [({ kind, slug }: Change) => `${kind.name}/${slug}`, ({ id }: Wanted) => id],
      [({ kind, name }: Change) => `${kind.name}/${name}`, ({ id, name }: Wanted) => `${kindNameOfId(id)}/${name}`],
      [
        ({ kind, after }: Change) => `${kind.name}/${String(after?.name)}`,
        ({ id, title }: Wanted) => `${kindNameOfId(id)}/${String(title)}`,
      ],
    ] as const;
    for (const [keyOfChange, keyOfWanted] of keysOf) {
      const there = grouped(this.#free, keyOfChange);
      const open = all.filter(({ id }) => !this.declares(id));
      for (const [key, [first, ...others]] of grouped(open, keyOfWanted)) {
        const own = there.get(key);
        // Of several, none is sure to be the one.
        if (own === undefined || first === undefined || others.length > 0) continue;
        this.#found.set(first.id, own);
        this.#free = this.#free.filter((change) => !own.includes(change));
      }
    }
  }
}
