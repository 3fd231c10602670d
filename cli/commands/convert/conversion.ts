import type { Item } from "../../program/item";

/** What cannot be converted. */
export interface Refused {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** What an item, or a file as a whole, lacks after the conversion. */
export interface Loss {
  readonly file: string;
  readonly line: number;
  /** The item's Pulumi name, or what of the file it is. */
  readonly item: string;
  readonly text: string;
}

export interface Conversion {
  readonly items: readonly Item[];
  readonly refused: readonly Refused[];
  readonly losses: readonly Loss[];
}
