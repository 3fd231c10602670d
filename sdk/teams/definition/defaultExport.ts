import { createJiti } from "jiti";
import { readUtf8 } from "../../../provider/base/utf8";
import { isObject } from "../../../provider/wire/json";

/**
 * What a user's TypeScript or JavaScript file exports as its default; undefined if nothing. Types are not checked: that is
 * the work of the user's own tsc.
 * @throws whatever the file throws, and an error if it is not UTF-8
 */
export async function defaultExportOf(path: string): Promise<unknown> {
  // Node.js itself reads each byte that is not UTF-8 as U+FFFD.
  readUtf8(path);
  // No file is written next to the user's files.
  const jiti = createJiti(__filename, { fsCache: false, interopDefault: false });
  const { default: found } = await jiti.import<{ readonly default?: unknown }>(path);
  // A CommonJS file's exports are the default of its default.
  return isObject(found) && "default" in found ? found.default : found;
}
