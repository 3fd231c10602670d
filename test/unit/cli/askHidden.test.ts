import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { askHidden } from "../../../dist/cli/commands/secrets/ask.js";

/** Types all of this at once, and reads a line for each name. @returns the lines, and whether they were shown after each */
async function type(typed: string, names: readonly string[]) {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  let isHidden = false;
  const terminal = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => void (isHidden = raw) });
  terminal.write(typed);
  const read: unknown[] = [];
  for await (const [name, line] of askHidden(names, terminal as never)) read.push([name, line, isHidden]);
  vi.restoreAllMocks();
  return { read, isHidden };
}

test("secrets that are typed ahead stay hidden until the last is read", async () => {
  expect(await type("first\rsecond\n", ["a", "b"])).toEqual({
    read: [
      ["a", "first", true],
      ["b", "second", true],
    ],
    isHidden: false,
  });
});

test.each([
  ["a key that removes the last character", "k\u{1f511}\u{1f511}\u007f\bey\r", "key"],
  ["arrows and other keys without a character", "k\u001b[De\u001b[1;5C\u001bOP\u001b[200~y\u001b[201~\r", "key"],
  ["Ctrl-U, which clears the line", "wrong\u0015key\r", "key"],
  ["other control keys", "k\u0001e\u0017y\r", "key"],
])("a secret is read without %s", async (_, typed, line) => {
  expect((await type(typed, ["a"])).read).toEqual([["a", line, true]]);
});

test.each(["\u0003", "\u0004"])(
  "%j at a prompt ends the command, and the terminal shows what is typed again",
  async (key) => {
    await expect(type(`first\rsec${key}`, ["a", "b"])).rejects.toThrow(
      "interrupted; the secrets that you entered before",
    );
  },
);
