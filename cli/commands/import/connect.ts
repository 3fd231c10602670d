import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { type SettingTexts, settingTexts } from "../../../provider/client/settingTexts";
import { Operation } from "../../../provider/lifecycle/operation";
import type { Run } from "../../../provider/lifecycle/run";
import { startRun } from "../../../provider/lifecycle/start";
import { namespace } from "../../../provider/schema/names";
import { isObject } from "../../../provider/wire/json";
import { CommandError, type Output } from "../../report/output";

/**
 * What a command needs to ask the service. The settings are the provider's: those of the stack, if one is named, then those
 * of the environment.
 */
export async function connect(output: Output, stack: string | undefined): Promise<Run> {
  const configured = stack === undefined ? () => undefined : await stackConfig(stack);
  const note = (text: string) => output.line(text);
  return startRun(settingTexts(configured, process.env), note, new Operation(tmpdir()));
}

/** A stack's config, as the CLI tells it in the current folder. */
async function stackConfig(stack: string): Promise<SettingTexts> {
  const args = ["config", "--json", "--show-secrets", "--stack", stack, "--non-interactive"];
  let told: unknown;
  try {
    told = JSON.parse((await promisify(execFile)("pulumi", args)).stdout);
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string }; // as execFile fails
    throw new CommandError(
      `unable to read the config of the stack "${stack}" with "pulumi config" in this folder: ${(stderr || message).trim()}`,
    );
  }
  return (name) => {
    const entry = isObject(told) ? told[`${namespace}:${name}`] : undefined;
    if (!isObject(entry)) return undefined;
    return entry.value === undefined ? undefined : String(entry.value);
  };
}
