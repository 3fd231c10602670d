import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { runCommandLine } from "../../dist/cli/commandLine.js";
import { ownFolder } from "./folders.js";
import { type Ended, run } from "./run.js";
import { token } from "./service.js";

/** The command itself, which `npx` would take a second to find. */
export const main = join(import.meta.dirname, "../../dist/cli/main.js");

const settings = { OBSERVABILITY_API_TOKEN: token, NO_COLOR: "1" };

/**
 * Runs the command `pulumi-observability` in a folder, with the settings of the tests, in this process: one at a time. A
 * process of its own would take ten times as long.
 * @param stdin What it reads from its standard input.
 */
export async function runCommand(
  folder: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv> = {},
  stdin = "",
): Promise<Ended> {
  const printed = { stdout: "", stderr: "", text: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      printed[name] += String(chunk);
      printed.text += String(chunk);
      return true;
    }),
  );
  const input = openSync(join(ownFolder({ stdin }), "stdin"), "r");
  const reads = vi.spyOn(process, "stdin", "get").mockReturnValue({ fd: input, isTTY: false } as typeof process.stdin);
  // What a command sets in its own process ends with it.
  const environment = { ...process.env };
  const use = (all: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
    for (const [name, value] of Object.entries(all)) if (value !== undefined) process.env[name] = value;
  };
  use({ ...environment, ...settings, ...env });
  const before = process.cwd();
  process.chdir(folder);
  try {
    await runCommandLine(args);
    return { ...printed, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    process.chdir(before);
    use(environment);
    for (const spy of [...spies, reads]) spy.mockRestore();
    closeSync(input);
  }
}

/** Runs the command in a process of its own. @param stdin What it reads from its standard input. */
export const startCommand = (
  folder: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv> = {},
  stdin = "",
): Promise<Ended> =>
  run(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, ...settings, ...env }, stdin });
