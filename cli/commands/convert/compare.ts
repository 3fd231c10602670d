import { formatPath } from "../../../provider/schema/walk";
import { leaves } from "../../../provider/values/leaves";
import { type Block, blockIn, digestOf, lineDifference, withBlock } from "../../program/blocks";
import type { Folder } from "../../program/folder";
import { ConfigSecret, type Declared, type Item, type WrittenFrom } from "../../program/item";
import { declarationAt } from "../../program/write";
import type { Known } from "./settle";

/** What a program has of an item that an earlier run converted. */
export interface Compared {
  readonly known: Known;
  /** `missing`: somebody took it out of its file. */
  readonly state: "unchanged" | "changed" | "missing";
  /** Whether somebody changed what was written. */
  readonly isEdited: boolean;
  /** From the program to what the source says now: `- old`, `+ new`. */
  readonly difference: readonly string[];
  readonly now: { readonly text: string; readonly head: string };
}

export function compare(known: Known, folder: Folder): Compared {
  const { item, declared, converted, origin } = known;
  const block = blockOf(declared, folder);
  const now = declarationAt(item, declared, folder.declared);
  const found = { known, now, isEdited: block !== undefined && digestOf(block.text) !== converted.text };
  if (block === undefined) return { ...found, state: "missing", difference: [] };
  const isSame = origin.said === converted.origin.said || block.text === now.text;
  if (isSame) return { ...found, state: "unchanged", difference: [] };
  return { ...found, state: "changed", difference: lineDifference(block.text, now.text) };
}

/** Writes the item anew, at the place where it is declared. */
export function update({ known: { declared }, now }: Compared, folder: Folder): void {
  const block = blockOf(declared, folder);
  const text = folder.textOf(declared.file);
  if (block !== undefined && text !== undefined) folder.edit(declared.file, withBlock(text, block, now.text, now.head));
}

/** What the notes keep of an item as it is declared now. */
export function converted(item: Item, declared: Declared, origin: WrittenFrom["origin"], folder: Folder): Declared {
  const text = digestOf(blockOf(declared, folder)?.text ?? "");
  return { ...declared, converted: { origin, text, secrets: secretsIn(item) } };
}

/** The names of an item's secrets in stack config, by path. */
export const secretsIn = ({ kind, args }: Item): Readonly<Record<string, string>> =>
  Object.fromEntries(
    leaves(kind.root, args).flatMap(({ path, value }) =>
      value instanceof ConfigSecret ? [[formatPath(path), value.key]] : [],
    ),
  );

const blockOf = ({ file, variable }: Declared, folder: Folder): Block | undefined =>
  blockIn(folder.textOf(file) ?? "", variable);
