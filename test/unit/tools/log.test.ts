import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog, elapsed } from "../../../tools/log.mjs";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What 75 s of work write. */
function written(terminal: boolean, env: NodeJS.ProcessEnv): string[] {
  const texts: string[] = [];
  const stream = { isTTY: terminal, columns: 40, write: (text: string) => texts.push(text) };
  const progress = createLog({ stream, env }).start("building");
  progress.detail("package 1, example.com/a/very/long/name");
  vi.advanceTimersByTime(75_000);
  progress.end("done");
  return texts;
}

describe("progress", () => {
  it("is a line every 10 s where there is no terminal", () => {
    const texts = written(false, {});
    expect(texts).toHaveLength(1 + 7 + 2);
    expect(texts.slice(0, 2)).toEqual(["building\n", "building (10 s): package 1, example.com/a/very/long/name\n"]);
    expect(texts.at(-1)).toBe("building: done in 1 min 15 s\n");
  });

  it("is a line every 30 s in CI, on a terminal too", () => {
    expect(written(true, { CI: "true" }).filter((text) => text.startsWith("building ("))).toHaveLength(2);
  });

  it("is one line, rewritten each second and cut to its width, on a terminal", () => {
    const texts = written(true, {});
    expect(texts.slice(0, -2).join("")).not.toContain("\n");
    expect(texts[1]).toBe("\r\x1b[Kbuilding (1 s): package 1, example.com/");
  });

  it("counts in minutes and seconds", () => {
    expect([499, 59_400, 75_000].map(elapsed)).toEqual(["0 s", "59 s", "1 min 15 s"]);
  });
});
