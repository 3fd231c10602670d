import { expect } from "vitest";
import { convert } from "../../../dist/cli/commands/convert/convert.js";
import type { Item } from "../../../dist/cli/program/item.js";
import type { Conversion } from "../../../dist/cli/commands/convert/conversion.js";

export const file = "file.yml";
export const convertText = (text: string): Conversion => convert([{ path: file, text }]);

/** The only item of a text of which nothing is rejected. */
export function itemOf(text: string): Item {
  const { items, rejected } = convertText(text);
  expect(rejected).toEqual([]);
  expect(items.length).toBe(1);
  return items[0] as Item;
}

/** What is rejected, as `line: reason`. */
export const rejectionsOf = (text: string) =>
  convertText(text).rejected.map(({ line, reason }) => `${line}: ${reason}`);
