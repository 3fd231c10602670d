import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { operationFolder, SharedLines } from "../../provider/lifecycle/objects/sharedLines";
import { tried } from "../../provider/wire/json";
import { CommandError } from "../output/output";

/** The folders that this process writes to, with what tells other processes so. */
const held = new Map<string, SharedLines>();
process.once("exit", () => held.forEach((lines) => lines.close()));

/**
 * Keeps other processes of this machine from writing to a folder until this one ends.
 * @throws {CommandError} if one writes to it
 */
export function hold(path: string): void {
  // Not in the folder itself: what a killed process leaves would look like a file of the program.
  const shared = operationFolder(realPathOf(resolve(path)));
  if (held.has(shared)) return;
  const lines = new SharedLines(shared);
  // Before the look: of two processes at the same moment, one at least sees the other.
  lines.append("writes");
  for (const { file } of lines.fromOthers()) {
    if (!lines.isOpen(file)) continue;
    lines.close();
    throw new CommandError(
      `process ${parseInt(file)} writes to "${path}", too. Wait for its end, and run this command again.`,
    );
  }
  held.set(shared, lines);
}

/** The path without links, also if it does not exist yet. */
const realPathOf = (path: string): string =>
  tried(() => realpathSync(path)) ?? join(realPathOf(dirname(path)), basename(path));
