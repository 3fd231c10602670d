import type { Item, Origin } from "../../program/item";
import type { Place } from "../../source/sourceNode";

/** A part of a file that cannot be converted. */
export interface Rejected extends Place {
  /** Its name in the file, if it has one. */
  readonly name?: string | undefined;
  readonly reason: string;
}

/** An item, what it was converted from, and what was lost. */
export interface Converted extends Item {
  readonly source: Origin & Place;
  /** Values that distinguish it from others of its name, most readable first. The last one is the end of the file's path. */
  readonly hints: readonly string[];
  readonly lost: readonly Lost[];
}

/** What an item loses, and where that is in the file. */
export interface Lost extends Place {
  readonly text: string;
  /** Whether it changes what fires, which data is read, or who is notified of what; else it only reports how something is read. */
  readonly hasEffect?: true;
}

/** A loss of an item, or of a file as a whole, in the conversion. */
export interface Loss extends Lost {
  /** The item's kind; absent if the file as a whole loses it. */
  readonly kind?: string;
  /** The item's Pulumi name, or the part of the file. */
  readonly item: string;
}

export const lossesOf = (items: readonly Converted[]): readonly Loss[] =>
  items.flatMap(({ kind, name, lost }) => lost.map((each) => ({ kind: kind.name, item: name, ...each })));

export interface Conversion {
  readonly items: readonly Converted[];
  readonly rejected: readonly Rejected[];
  readonly losses: readonly Loss[];
}
