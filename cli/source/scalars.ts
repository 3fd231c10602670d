import { z } from "zod";
import { isObject, nounOf } from "../../provider/wire/json";
import { secondsIn } from "../../provider/base/durations";
import { PromqlError, readOrError } from "../promql/tree";
import { checkedPromql, type Expression } from "../promql/expression";
import { Rejection, type SourceNode } from "./sourceNode";

// The types of the scalars of a file, which are read as strings (see `SourceNode`).

export const expected = (noun: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? "is missing" : `is ${nounOf(input)} instead of ${noun}`,
});

export const text = z.string(expected("a string"));
/** A map of strings, even with the key `__proto__`, which `z.record` drops. */
export const textMapping = z.unknown().transform((value, context): Readonly<Record<string, string>> => {
  if (!isObject(value)) return reject(context, expected("a map of strings").error({ input: value }));
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === "string") continue;
    context.addIssue({ code: "custom", path: [key], message: expected("a string").error({ input: each }) });
  }
  return value as Readonly<Record<string, string>>; // Other values were reported.
});
export const sequence = <T extends z.ZodType>(item: T) => z.array(item, expected("a list"));
export const mapping = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, expected("a map"));
export const anything = z.unknown().optional();

/** A text that is read as something else. */
const readAs = <T>(noun: string, read: (value: string) => T | undefined) =>
  text.transform((value, context): T => {
    return read(value) ?? reject(context, `is ${JSON.stringify(value)} instead of ${noun}`);
  });

/** The truth values of YAML 1.1, which the tools read. */
export const truth = readAs("true or false", (value) =>
  /^(true|yes|on|y)$/i.test(value) ? true : /^(false|no|off|n)$/i.test(value) ? false : undefined,
);

/** A number of YAML, in which digits may be grouped by `_`. A number that one version reads as octal is rejected. */
export const numeral = readAs("a number", (value) => {
  const digits = value.trim().replace(/(?<=\d)_(?=\d)/g, "");
  const found = digits === "" || /^[+-]?0\d/.test(digits) ? Number.NaN : Number(digits);
  return Number.isFinite(found) ? found : undefined;
});

export const wholeNumeral = numeral.refine(Number.isSafeInteger, "is not a whole number, or too large");

/** A Prometheus duration, in seconds. */
export const timespan = readAs("a duration such as 5m or 1h30m", secondsIn);

/** The same, or seconds without a unit. */
export const secondsOrTimespan = readAs("a duration such as 5m or 1h30m", (value) =>
  /^\d+$/.test(value) ? Number(value) : secondsIn(value),
);

/** One of the words that a format has there. */
export const oneOf = <const T extends readonly string[]>(...words: T) =>
  z.enum(words, {
    error: ({ input }) => `is ${JSON.stringify(input) ?? "missing"} and must be one of ${words.join(", ")}`,
  });

function reject(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** Of Go and the like, of vmalert, and of envsubst and Flux. */
const templates = /\{\{.*?\}\}|%\{[A-Za-z_]\w*\}|\$\{([A-Za-z_]\w*)[^{}]*\}/g;

/**
 * The expression in a node.
 * @throws {Rejection} if Prometheus would reject it.
 */
export function expressionOf(node: SourceNode, written = node.text): Expression {
  if (written === undefined) throw new Rejection(node, "the expression is missing");
  // The name may also be that of a group in a pattern.
  const isOpen = ([, name]: RegExpExecArray) => !written.includes(`<${name}>`);
  const template = [...written.matchAll(templates)].find(isOpen)?.[0];
  if (template !== undefined)
    throw new Rejection(node, `the expression has the template ${template}: render the file first`);
  const found = readOrError(() => checkedPromql(written));
  if (found instanceof PromqlError) throw new Rejection(node.atLine(found.lineOffset), found.message);
  return found;
}
