import { mkdirSync } from "node:fs";
import { LocalWorkspace, PulumiCommand, type PulumiFn, Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { environmentVariable, namespace } from "../../../provider/schema/names";
import { isFirstLoad } from "../operation/firstLoad";
import type { TeamJob } from "./messages";

/** The team's stack, without asking the CLI for it. */
export async function stackOf(
  { file: { name }, project, workDir, root, secretsProvider, cliVersion }: TeamJob,
  program: PulumiFn,
  slugPrefix: string,
): Promise<Stack> {
  // A folder for each team, because parallel stacks would write the same Pulumi.yaml.
  mkdirSync(workDir, { recursive: true });
  const workspace = await LocalWorkspace.create({
    workDir,
    program,
    // As a stream, a preview with "--json" would lack the states.
    envVars: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "" },
    // As `PulumiCommand.get` makes it, which would take 0.2 s to ask the CLI for its version.
    pulumiCommand: Object.assign(Object.create(PulumiCommand.prototype) as PulumiCommand, {
      command: "pulumi",
      version: cliVersion,
    }),
    // The provider's process starts in `main` and finds its packages from there.
    projectSettings: { name: project, runtime: "nodejs", main: root },
    ...(secretsProvider === undefined ? {} : { secretsProvider }),
  });
  // The file contains the stack's key as well, unless it is a new checkout's.
  const known = await workspace.stackSettings(name).catch(() => ({}));
  await workspace.saveStackSettings(name, {
    ...(secretsProvider === undefined ? {} : { secretsProvider }),
    ...known,
    config: {
      [`${namespace}:baseUrl`]: process.env[environmentVariable("baseUrl")] ?? "",
      [`${namespace}:slugPrefix`]: slugPrefix,
    },
  });
  // Each operation names its stack. The Automation API's other calls of the CLI take 0.3 s, and their results are not used.
  workspace.selectStack = async () => undefined;
  workspace.stackOutputs = async () => ({});
  return Stack.select(name, workspace);
}

/** Creates the stack if it is missing. @returns whether it has never been loaded */
export async function ensureStack(stack: Stack): Promise<boolean> {
  try {
    return await isFirstLoad(stack);
  } catch (error) {
    if (!(error instanceof StackNotFoundError)) throw error;
    await stack.workspace.createStack(stack.name);
    return true;
  }
}
