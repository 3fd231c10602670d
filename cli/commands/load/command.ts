import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { CommandError as PulumiError, LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import { namespace } from "../../../provider/schema/names";
import { backendUrl } from "../../../sdk/teams/operation/backend";
import { adoptVariable, isFirstLoad, mayLoadFast, withoutCheckpoints } from "../../../sdk/teams/operation/firstLoad";
import { Watch } from "../../../sdk/teams/operation/watch";
import { killedBy, errorLine } from "../../../sdk/engine/words";
import { CommandError } from "../../output/output";
import { projectFileNames } from "../../pulumi/pulumi";

export interface LoadFlags {
  readonly stack?: string;
  readonly checkpoints?: boolean;
  readonly yes?: boolean;
}

const show = (text: string) => void process.stdout.write(text);
const say = (text: string) => show(`${text}\n`);

/** Previews and updates a stack; without checkpoints in a first load whose objects can all be found again. */
export async function load({ stack: name, checkpoints = false, yes = false }: LoadFlags): Promise<void> {
  if (!yes && process.stdin.isTTY !== true)
    throw new CommandError("can't ask for confirmation: standard input is not a terminal. Add --yes");
  if (!isInProject(process.cwd()))
    throw new CommandError(
      "there is no Pulumi.yaml in this folder or above. Run this command in the folder of the program.",
    );
  const workspace = await LocalWorkspace.create({ workDir: process.cwd() });
  const stack = await Stack.select(name ?? (await selected(workspace)), workspace).catch((error: unknown) => {
    throw new CommandError(errorLine(error));
  });
  const isFast = !checkpoints && mayLoadFast(await backendUrl()) && (await adopts(stack)) && (await isFirstLoad(stack));
  // The preview already finds objects that a killed run created.
  if (isFast) process.env[adoptVariable] ||= "identical";
  // Ctrl+C also reaches the engine, which shuts down gracefully; wait for it.
  process.on("SIGINT", () => undefined);

  const watch = new Watch(() => undefined);
  const color = process.stdout.isTTY === true ? "always" : "never";
  await toItsEnd(stack.preview({ onEvent: (event) => watch.see(event), onOutput: show, color }));
  const skips = isFast && watch.obstacle === undefined;
  say(
    skips
      ? "First load: runs without checkpoints (--checkpoints turns this off).\n" +
          "If it is killed, run it again before you change the program: it finds the objects that it created."
      : `Loads with checkpoints: ${reasonOf(checkpoints, isFast, watch.obstacle)}.`,
  );
  if (!yes && !(await askToConfirm(stack.name))) return;
  if (skips) Object.assign(process.env, withoutCheckpoints);
  await toItsEnd(stack.up({ onOutput: show, color, showSecrets: false }));
}

const isInProject = (folder: string): boolean =>
  projectFileNames.some((name) => existsSync(join(folder, name))) ||
  (dirname(folder) !== folder && isInProject(dirname(folder)));

async function selected(workspace: LocalWorkspace): Promise<string> {
  const current = await workspace.stack();
  if (current === undefined) throw new CommandError('no stack is selected. Add --stack, or run "pulumi stack select".');
  return current.name;
}

/** Whether the stack's config allows a load to adopt existing objects. It takes precedence over the environment. */
async function adopts(stack: Stack): Promise<boolean> {
  const config = await stack.getAllConfig();
  return config[`${namespace}:adopt`]?.value !== "false";
}

function reasonOf(checkpoints: boolean, isFast: boolean, obstacle: string | undefined): string {
  if (checkpoints) return "--checkpoints is set";
  if (isFast) return obstacle ?? "";
  return (
    "only the first load of a stack in a file or bucket backend runs without them, and only if " +
    `${namespace}:adopt or ${adoptVariable} is not false`
  );
}

async function askToConfirm(stack: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question(`Load the stack "${stack}"? (yes/no) `);
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function toItsEnd(operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    if (killedBy(error) !== undefined) {
      throw new CommandError(`${errorLine(error)}. Run "pulumi cancel", and then this command again.`);
    }
    // The engine has printed the cause; its error would repeat it.
    throw new CommandError("pulumi failed; see its output above");
  }
}
