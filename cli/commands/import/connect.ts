import { tmpdir } from "node:os";
import { settingTexts } from "../../../provider/client/settingTexts";
import { Claims } from "../../../provider/lifecycle/claims";
import type { Run } from "../../../provider/lifecycle/run";
import { startRun } from "../../../provider/lifecycle/start";
import { namespace } from "../../../provider/schema/names";
import type { Output } from "../../report/output";
import { configOf } from "../../stacks/pulumi";

/**
 * What a command needs to ask the service. The settings are the provider's: those of the stack, if one is named, then those
 * of the environment.
 */
export async function connect(output: Output, stack: string | undefined): Promise<Run> {
  const config = stack === undefined ? () => undefined : await configOf(stack);
  const note = (text: string) => output.line(text);
  return startRun(
    settingTexts((name) => config(`${namespace}:${name}`), process.env),
    note,
    new Claims(tmpdir()),
  );
}
