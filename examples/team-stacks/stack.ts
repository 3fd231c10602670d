import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { root, type Team } from "./team";

const project = "team-stacks";

/**
 * The team's stack, made where it is missing.
 * @param onProgramError Told what the team's program throws.
 * @throws where the team's file is not as it should be, or the CLI fails.
 */
export async function openStack(
  name: string,
  { declare }: Team,
  onProgramError: (error: unknown) => void,
): Promise<Stack> {
  const program = async () => {
    try {
      return await declare();
    } catch (error) {
      onProgramError(error);
      // Swallowed, it would look like the end of the program, and "up" would delete what was not declared by then.
      throw error;
    }
  };
  // A folder for each team, because parallel stacks would write the same Pulumi.yaml.
  const workDir = join(root, ".stacks", name);
  mkdirSync(workDir, { recursive: true });
  return LocalWorkspace.createOrSelectStack(
    { stackName: name, projectName: project, program },
    {
      workDir,
      envVars: backend(),
      // The provider's process starts in `main` and finds its packages from there.
      projectSettings: { name: project, runtime: "nodejs", main: root },
    },
  );
}

/** Puts the team's token and slug prefix into the stack's config, where the provider finds them by itself. */
export async function configure({ name, workspace }: Stack, { slugPrefix }: Team, apiToken: string): Promise<void> {
  await workspace.setAllConfig(name, {
    "observability:baseUrl": { value: process.env.OBSERVABILITY_BASE_URL ?? "" },
    "observability:slugPrefix": { value: slugPrefix },
  });
  // Not by the workspace's own setConfig, which would put the token on a command line for every user to read.
  const setting = promisify(execFile)(
    workspace.pulumiCommand.command,
    ["config", "set", "--secret", "observability:apiToken", "--stack", name, "--non-interactive"],
    { cwd: workspace.workDir, env: { ...process.env, ...workspace.envVars } },
  );
  setting.child.stdin?.end(apiToken);
  await setting;
}

/** The user's own backend, or else a folder of this example. */
function backend(): Record<string, string> {
  if (process.env.PULUMI_BACKEND_URL !== undefined) return {};
  const folder = join(root, ".state");
  mkdirSync(folder, { recursive: true });
  return {
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: process.env.PULUMI_CONFIG_PASSPHRASE ?? "local",
  };
}
