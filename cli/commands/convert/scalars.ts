import { z } from "zod";
import { nounOf } from "../../../provider/wire/json";
import { seconds } from "../../promql/durations";

// What the scalars of a file mean; a file's scalars are texts (see Part).

const expected = (noun: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? "is missing" : `is ${nounOf(input)} instead of ${noun}`,
});

export const text = z.string(expected("a text"));
export const texts = z.record(z.string(), text, expected("a map of texts"));
export const list = <T extends z.ZodType>(item: T) => z.array(item, expected("a list"));
export const object = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, expected("a map"));
export const anything = z.unknown().optional();

/** The truth values of YAML 1.1, which the tools read. */
export const truth = text.transform((value, context): boolean => {
  if (/^(true|yes|on|y)$/i.test(value)) return true;
  if (/^(false|no|off|n)$/i.test(value)) return false;
  return refuse(context, `is ${quoted(value)} instead of true or false`);
});

export const number = text.transform((value, context): number => {
  const found = value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(found) ? found : refuse(context, `is ${quoted(value)} instead of a number`);
});

/** A Prometheus duration, in seconds. */
export const duration = text.transform((value, context): number => {
  const found = seconds(value);
  return found ?? refuse(context, `is ${quoted(value)} instead of a duration such as 5m or 1h30m`);
});

const quoted = (value: string) => JSON.stringify(value);

function refuse(context: z.core.$RefinementCtx<string>, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
