import { tmpdir } from "node:os";
import { settingTexts } from "../../provider/client/settingTexts";
import { Claims } from "../../provider/lifecycle/claims";
import type { Run } from "../../provider/lifecycle/run";
import { startRun } from "../../provider/lifecycle/start";
import { namespace } from "../../provider/schema/names";
import type { Output } from "../report/output";

/**
 * What a command needs to ask the service. The settings are the provider's: those of the stack, then those of the environment.
 * @param config The stack's, by full names.
 */
export function serviceOf(config: (name: string) => string | undefined, output: Output): Run {
  const note = (text: string) => output.line(text);
  return startRun(
    settingTexts((name) => config(`${namespace}:${name}`), process.env),
    note,
    new Claims(tmpdir()),
  );
}
