import { tokenHint } from "../../../provider/lifecycle/notes/explain";
import { redactSecrets } from "../../../provider/base/redact";
import { secretMark } from "../../../provider/values/secrets";
import { isObject } from "../../../provider/wire/json";
import { masked } from "../../engine/preview";

const known = new Set<string>();
let tell: (secret: string) => void = () => undefined;

/**
 * A secret from an environment variable, as CI jobs get theirs: a plain string, which is redacted in everything that is
 * printed afterward.
 * @throws if the variable is not set.
 */
export function secretFrom(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new Error(`set the environment variable ${variable}`);
  known.add(value);
  tell(value);
  return value;
}

/** From now on, passes on each secret before the program gets it. */
export const tellSecrets = (to: typeof tell): void => void (tell = to);

let ownTokenHint: string | undefined;

/** From now on, messages about a rejected token name this variable. */
export const nameToken = (variable: string): void => {
  ownTokenHint = `Set the environment variable ${variable} to a valid token`;
};

const redact = (text: string): string =>
  redactSecrets(ownTokenHint === undefined ? text : text.replaceAll(tokenHint, ownTokenHint), [...known]);

/** A message without the secrets read so far in its strings and keys, which names the team's own variable for its token. */
export function redacted<T>(message: T): T {
  // A preview repeats most of its strings.
  const done = new Map<string, string>();
  const redactOnce = (text: string) => done.get(text) ?? (done.set(text, redact(text)).get(text) as string); // just set
  return JSON.parse(JSON.stringify(message), (_, value: unknown) => {
    if (typeof value === "string") return redactOnce(value);
    if (!isObject(value)) return value;
    // The engine's own form of a secret, in its events.
    if (secretMark in value) return masked;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactOnce(key), item]));
  }) as T; // of the same shape
}
