import { isObject } from "../../provider/wire/json";
import type { EnginePreview } from "../../sdk/engine/preview";
import { CommandError, reasonOf } from "../output/output";

/** Whether a JSON value is what `pulumi preview --json` prints. */
export const isDigest = (value: unknown): value is Partial<EnginePreview> =>
  isObject(value) && ["steps", "diagnostics", "changeSummary"].some((key) => key in value);

/** Whether the preview read the service: then it has a refresh step for each recorded resource, changed or not. */
export const isRefreshed = ({ steps }: EnginePreview) =>
  steps.some(({ op }) => op === "refresh") || steps.every(({ oldState }) => oldState === undefined);

/** @param source The source of the text, for messages. */
export function parseDigest(text: string, source: string): EnginePreview {
  return digestOf(readJson(text, source), source);
}

export function digestOf(value: unknown, source: string): EnginePreview {
  const { steps = [], diagnostics = [] } = isDigest(value) ? value : {};
  const isRead = isDigest(value) && haveTexts(steps, ["op", "urn"]) && haveTexts(diagnostics, ["message", "severity"]);
  if (!isRead) throw new CommandError(`${source} is not what "pulumi preview --json" prints`);
  return { ...value, steps, diagnostics };
}

/** Whether a value is a list of objects that have these texts. */
export const haveTexts = (value: unknown, names: readonly string[]) =>
  Array.isArray(value) &&
  value.every((each) => isObject(each) && names.every((name) => typeof each[name] === "string"));

/** @throws {CommandError} if the text is not JSON */
export function readJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const isStream = text.trim().split("\n").length > 1 && text.trimStart().startsWith('{"sequence"');
    if (isStream) {
      throw new CommandError(
        `${source} is a stream of events. Unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW, so that "pulumi preview --json" prints one object.`,
      );
    }
    throw new CommandError(`${source} is not JSON: ${reasonOf(error)}`);
  }
}
