import { urnParts } from "./urn";

/** A message of the engine in one line, with the resource that it is about. */
export const messageLine = (message: string, urn: string | undefined): string => {
  const words = message.replace(/^(?:\S+ resource '[^']*' has a problem|Unhandled exception: Error): /, "");
  return urn === undefined || urn === "" ? withoutStack(words) : `${resourceLabel(urn)}: ${withoutStack(words)}`;
};

/** Whether it is a line that the SDK and the engine add after errors. */
export const isAddition = (text: string): boolean =>
  /^One or more errors occurred|^(?:preview|update) failed$/.test(text);

/** An error in one line: without the command that failed and all that it printed before. */
export function errorLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Only the engine's text names the owner of a lock.
  const lock = /currently locked by[^]*?created by (.+)/.exec(message)?.[1];
  if (lock !== undefined)
    return `nothing was changed, because the stack is locked by ${lock}. If that run has ended, add --unlock`;
  // The error has no code, and the signal of a process that was killed for it.
  if (/maxBuffer exceeded/.test(message)) {
    return "Pulumi's output is larger than the 100 MB that the Automation API reads. Split the stack into several";
  }
  const killed = killedBy(error);
  if (killed !== undefined) return `the engine was killed by ${killed}`;
  return withoutStack(/^\s*error: (.+)/m.exec(message)?.[1] ?? /^ stderr: (.+)/m.exec(message)?.[1] ?? message);
}

/** The signal that has killed Pulumi's CLI; undefined if none has. */
export function killedBy(error: unknown): string | undefined {
  // How the process ended is an internal part of the Automation API's errors, whose class takes long to load.
  const { commandResult } = (error ?? {}) as {
    readonly commandResult?: { readonly err?: { readonly signal?: string } };
  };
  return commandResult?.err?.signal;
}

/** Without stack lines, and on one line. */
const withoutStack = (text: string) =>
  text
    .replace(/\n\s+at .*/g, "")
    .trim()
    .replace(/\s+/g, " ");

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` → `Monitor "errors"` */
export function resourceLabel(urn: string): string {
  const { type, name } = urnParts(urn);
  return `${type.split(":").at(-1)} "${name}"`;
}
