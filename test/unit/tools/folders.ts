import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

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
