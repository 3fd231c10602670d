import { isObject } from "../../provider/wire/json";
import type { EngineState, EngineStep } from "../../sdk/engine/objects";
import type { EnginePreview } from "../../sdk/engine/preview";
import { CommandError, reasonOf } from "../report/output";

/** The parts of the output of `pulumi preview --json` that are read here. The engine prints `[secret]` instead of secrets. */
export interface Digest extends Pick<EnginePreview, "diagnostics"> {
  /** The stack's config. */
  readonly config?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** How many resources have each operation, also those that are not among the steps. */
  readonly changeSummary?: Readonly<Record<string, number>>;
}

export interface Step extends Pick<EngineStep, "op" | "urn" | "provider"> {
  readonly oldState?: State;
  readonly newState?: State;
  /** Null if the engine reports no places. */
  readonly detailedDiff?: Readonly<Record<string, { readonly kind?: string }>> | null;
}

interface State extends EngineState {
  /** Whether the program only reads it, by `.get`. */
  readonly external?: boolean;
  readonly additionalSecretOutputs?: readonly string[];
  /** Whether the old object is deleted before the new one is created. */
  readonly pendingReplacement?: boolean;
}

/** Whether a JSON value is what `pulumi preview --json` prints. */
export const isDigest = (value: unknown): value is Partial<Digest> =>
  isObject(value) && ["steps", "diagnostics", "changeSummary"].some((key) => key in value);

/** Whether the preview read the service: then it has a refresh step for each recorded resource, changed or not. */
export const isRefreshed = ({ steps }: Digest) =>
  steps.some(({ op }) => op === "refresh") || steps.every(({ oldState }) => oldState === undefined);

/** @param source The source of the text, for messages. */
export function parseDigest(text: string, source: string): Digest {
  return digestOf(readJson(text, source), source);
}

export function digestOf(value: unknown, source: string): Digest {
  if (!isDigest(value)) throw new CommandError(`${source} is not what "pulumi preview --json" prints`);
  const { config = {}, steps = [], diagnostics = [], changeSummary = {} } = value;
  return { config, steps, diagnostics, changeSummary };
}

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
