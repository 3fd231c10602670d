import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { mark } from "./canaries.js";

/** The mark as texts hold it: in plain text, which JSON and URLs leave as it is, in hexadecimal, and in base64 at each offset. */
const forms = [
  mark,
  Buffer.from(mark).toString("hex"),
  ...[0, 1, 2].map((offset) => {
    const encoded = Buffer.from(" ".repeat(offset) + mark).toString("base64");
    // Only the characters that the mark alone decides.
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + mark.length) * 8) / 6));
  }),
];

export interface Hit {
  readonly output: string;
  /** What stands around the canary. */
  readonly excerpt: string;
}

/** The first canary, or half of one, in a text. */
export function hitIn(output: string, text: string): Hit | undefined {
  for (const form of forms) {
    const at = form === mark ? text.toLowerCase().indexOf(form) : text.indexOf(form);
    if (at >= 0) return { output, excerpt: text.slice(Math.max(0, at - 120), at + 160) };
  }
  return undefined;
}

/** Every file under a folder, packed ones unpacked. */
export function filesIn(folder: string): readonly { readonly path: string; readonly text: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return [{ path, text: String(isPacked ? gunzipSync(bytes) : bytes) }];
  });
}

/** Looks for canaries in everything that a run gives out, and counts it. */
export class Scan {
  outputs = 0;
  readonly hits: Hit[] = [];

  text(output: string, text: string): void {
    this.outputs += 1;
    const hit = hitIn(output, text);
    if (hit !== undefined) this.hits.push(hit);
  }

  /** Every file under a folder, and their names. */
  folder(output: string, folder: string): void {
    for (const { path, text } of filesIn(folder)) this.text(`${output}/${relative(folder, path)}`, `${path}\n${text}`);
  }

  /** Fails with every hit so far, and what stands around it. */
  expectClean(): void {
    expect(this.hits).toEqual([]);
  }
}
