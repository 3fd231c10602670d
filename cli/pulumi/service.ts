import { ApiError } from "../../provider/client/errors";
import type { Found } from "../../provider/client/lists";
import { serviceCodes } from "../../provider/client/failures";
import { settingTexts } from "../../provider/client/settingTexts";
import { Claims } from "../../provider/lifecycle/objects/claims";
import { type Session, startSession } from "../../provider/lifecycle/session";
import type { Kind } from "../../provider/schema/kind";
import { namespace } from "../../provider/schema/names";
import { misspelledVariables } from "../../provider/client/misspelled";
import type { Output } from "../output/output";
import { configOf, type StackTarget } from "./pulumi";

/**
 * The settings of a command that sends requests: those of the stack, if any, then those of the environment.
 * @param fixed Settings that the command itself has.
 */
export async function startRunOf(
  stack: StackTarget | undefined,
  output: Output,
  fixed: Readonly<Record<string, string>> = {},
): Promise<Session> {
  const config = stack === undefined ? () => undefined : await configOf(stack);
  const note = (text: string) => output.line(text);
  for (const text of misspelledVariables(process.env)) output.warn(text);
  return startSession(
    settingTexts((name) => fixed[name] ?? config(`${namespace}:${name}`), process.env),
    note,
    Claims.of(""),
  );
}

/** The object under a slug, if there is one. */
export async function objectUnder(run: Session, kind: Kind, slug: string): Promise<Found[]> {
  try {
    const found = await run.client.get(kind, slug);
    return found === undefined ? [] : [found];
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.status === 404 && error.isJson;
    if (isAbsent && error.operation.described) return [];
    if (isAbsent && error.serviceCode === serviceCodes.noSuchObject) return [];
    throw error;
  }
}
