import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
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
  const message =
    error instanceof Error ? error.message || error.name : typeof error === "string" ? error : thrown(error);
  // Only the engine's text names the owner of a lock.
  const lock = /currently locked by[^]*?created by (.+)/.exec(message)?.[1];
  if (lock !== undefined)
    return `nothing was changed, because the stack is locked by ${lock}. If that run has ended, add --unlock`;
  // The error has no code, and the signal of a process that was killed for it.
  if (/maxBuffer exceeded/.test(message)) {
    return "Pulumi's output is larger than the 100 MB that the Automation API reads. Split the stack into several";
  }
  // How the process ended is an internal part of the Automation API's errors, whose class takes long to load.
  const { commandResult } = (error ?? {}) as {
    readonly commandResult?: { readonly err?: { readonly signal?: string } };
  };
  const signal = commandResult?.err?.signal;
  if (signal !== undefined) return `the engine was killed by ${signal}`;
  return withoutStack(/^\s*error: (.+)/m.exec(message)?.[1] ?? /^ stderr: (.+)/m.exec(message)?.[1] ?? message);
}

const thrown = (value: unknown) => `a value that isn't an Error was thrown: ${inspect(value)}`;

const ownFolder = join(__dirname, "../..", sep);

/** ` at teams/checkout.ts:7`: the first line of the program in a stack, for a reader in the current folder; "" without one. */
export function stackPlace(stack: string): string {
  for (const [, place = "", line] of stack.matchAll(/^\s+at (?:async )?(?:[^/\\]*? \()?(.+):(\d+):\d+\)?$/gm)) {
    const file = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (isAbsolute(file) && !file.startsWith(ownFolder) && !file.includes(`${sep}node_modules${sep}`))
      return ` at ${relative(".", file)}:${line}`;
  }
  return "";
}

/** The same for an exception. */
export const placeOf = (error: unknown) => (error instanceof Error ? stackPlace(String(error.stack)) : "");

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
