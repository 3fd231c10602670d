import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { atEnd } from "../../support/ends.js";
import { feed } from "../../support/input.js";

const root = join(import.meta.dirname, "../../..");

/** How a program ended. */
export interface Ended {
  readonly status: number | null;
  /** All that it printed, in order. */
  readonly output: string;
}

const running = new Set<ChildProcess>();

/** Runs a command to its end, as a shell would. */
export function run(
  command: string,
  { cwd, env, input = "" }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd, env, shell: true });
    running.add(child);
    let output = "";
    const take = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    child.once("close", (status) => {
      running.delete(child);
      resolve({ status, output });
    });
    feed(child.stdin, input);
  });
}

/** A copy of an example in a folder of its own, as taken along; what it needs is installed as in a checkout. */
export function copyExample(name: string): { readonly folder: string; readonly program: string } {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-observability-"));
  atEnd(() => {
    // Only where a test ran out of time.
    for (const child of running) child.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const program = join(folder, name);
  const left = /^(?:node_modules|dist|\.state|\.stacks|Pulumi\..+\.yaml)$/;
  cpSync(join(root, "examples", name), program, { recursive: true, filter: (path) => !left.test(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(program, "node_modules"), "dir");
  return { folder, program };
}
