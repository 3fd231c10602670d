import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the stacks that the others of a test run begin as copies of. */
    readonly blanks: string;
  }
}

/** A folder for all test files of a run. */
export default function provideBlanks({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-observability-blanks-"));
  provide("blanks", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
