import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "set-up-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** An executable shell script; it finds no other command than the shell's own. */
export function script(path: string, ...lines: string[]): string {
  write(path, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(path, 0o755);
  return path;
}

/** A log that keeps its lines. */
export function keptLog() {
  const lines: string[] = [];
  return {
    lines,
    say: (line: string) => void lines.push(line),
    start: (what: string) => {
      lines.push(what);
      return { detail: () => {}, end: () => {} };
    },
  };
}
