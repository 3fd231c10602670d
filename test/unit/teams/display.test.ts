import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Display } from "../../../dist/cli/commands/teams/display.js";
import type { TeamEvent } from "../../../dist/sdk/teams/run/teamRun.js";

/** What a terminal shows after some output: only cursor up, erase below, and line ends are known. */
function shown(written: string): string[] {
  const lines: string[] = [""];
  for (const part of written.split(/(\u001b\[\d+[AJ]|\n)/)) {
    const [, count, code] = /\u001b\[(\d+)([AJ])/.exec(part) ?? [];
    if (part === "\n") lines.push("");
    else if (code === "A") lines.splice(lines.length - 1 - Number(count), Infinity, "");
    else if (code === undefined) lines[lines.length - 1] += part;
  }
  return lines;
}

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());
const aDraw = 110; // milliseconds: longer than the list waits before it draws

const teams = ["checkout", "search", "shipping"];
const of = (team: string) => ({ team, operation: "up" as const });
const ended = (status: "done" | "failed") => ({
  type: "ended" as const,
  status,
  adopted: 0,
  skippedCheckpoints: false,
  seconds: 1,
});

test.each([20, 40, 80])("the live list keeps to %i columns, and what needs a reader stays above it", (columns) => {
  let written = "";
  const list = new Display({ columns, rows: 10, write: (text) => (written += text) }, true);
  const events: readonly TeamEvent[] = [
    { type: "begin", operation: "up", teams },
    ...teams.map((team): TeamEvent => ({ ...of(team), type: "started" })),
    { ...of("search"), type: "resource", action: "create", resource: `Monitor "${"long-".repeat(20)}"` },
    { ...of("shipping"), type: "error", text: "refused" },
    { ...of("shipping"), ...ended("failed") },
    { ...of("checkout"), ...ended("done") },
  ];
  for (const event of events) {
    list.see(event);
    vi.advanceTimersByTime(aDraw);
  }
  expect(shown(written)).toEqual([
    "shipping  up       refused",
    "shipping  up       failed",
    `search    up       create Monitor "${"long-".repeat(20)}"`.slice(0, columns - 1),
    "up: 2 of 3 teams, 1 failed".slice(0, columns - 1),
    "",
  ]);
  list.end();
  expect(shown(written)).toEqual(["shipping  up       refused", "shipping  up       failed", ""]);
});

test("what stays above the live list is broken at words, under its own beginning; a program's output is left as it is", () => {
  let written = "";
  const list = new Display({ columns: 50, rows: 10, write: (text) => (written += text) }, true);
  const text = "observability:apiToken is unencrypted in stack config";
  list.see({ type: "begin", operation: "up", teams });
  list.see({ ...of("search"), type: "warning", text });
  list.see({ ...of("search"), type: "output", text: `\t${text}` });
  list.end();
  expect(written.split("\n")).toEqual([
    "search    up       warning: observability:apiToken",
    "                   is unencrypted in stack config",
    `search    up       \t${text}`,
    "",
  ]);
});

test("the live list of many teams is not higher than the terminal", () => {
  let written = "";
  const many = Array.from({ length: 50 }, (_, i) => `team-${i}`);
  const list = new Display({ columns: 80, rows: 8, write: (text) => (written += text) }, true);
  list.see({ type: "begin", operation: "up", teams: many });
  for (const team of many) list.see({ ...of(team), type: "started" });
  vi.advanceTimersByTime(aDraw);
  expect(shown(written).length).toBeLessThanOrEqual(8);
  list.end();
});
