import { join } from "node:path";
import { type Ended, run } from "./run.js";
import { token } from "./service.js";

/** The command itself, which `npx` would take a second to find. */
export const main = join(import.meta.dirname, "../../dist/cli/main.js");

/**
 * Runs the command `pulumi-observability` in a folder, with the settings of the tests.
 * @param stdin What it reads from its standard input.
 */
export const runCommand = (
  folder: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv> = {},
  stdin = "",
): Promise<Ended> =>
  run(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...process.env, OBSERVABILITY_API_TOKEN: token, NO_COLOR: "1", ...env },
    stdin,
  });
