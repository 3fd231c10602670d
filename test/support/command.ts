import { execFile } from "node:child_process";
import { join } from "node:path";
import { token } from "./service.js";
import { feed } from "./input.js";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

export interface CommandEnded {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command `pulumi-observability` in a folder, with the settings of the tests.
 * @param input What it reads from its standard input.
 */
export const runCommand = (
  folder: string,
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv> = {},
  input?: string,
): Promise<CommandEnded> =>
  new Promise((resolve) => {
    const own = { OBSERVABILITY_API_TOKEN: token, NO_COLOR: "1", ...env };
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd: folder, env: { ...process.env, ...own }, maxBuffer: Number.POSITIVE_INFINITY },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    if (input !== undefined && child.stdin !== null) feed(child.stdin, input);
  });
