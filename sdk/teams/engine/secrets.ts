import { tokenHint } from "../../../provider/lifecycle/explain";
import { redactSecrets } from "../../../provider/values/redact";

const known = new Set<string>();

/**
 * A secret from an environment variable, as CI jobs get theirs. It is redacted in everything that is printed afterward.
 * @throws if the variable is not set.
 */
export function secretFrom(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new Error(`set the environment variable ${variable}`);
  known.add(value);
  return value;
}

let ownTokenHint: string | undefined;

/** From now on, messages about a rejected token name this variable. */
export const nameToken = (variable: string): void => {
  ownTokenHint = `Set the environment variable ${variable} to a valid token`;
};

/** A text without the secrets read so far, in each spelling, that names the team's own variable for its token. */
export const redact = (text: string): string =>
  redactSecrets(ownTokenHint === undefined ? text : text.replaceAll(tokenHint, ownTokenHint), [...known]);

/** Redacts them in what this process prints, too: what a team's program prints goes to a log that others read. */
export function redactOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
      // `write` has two forms, which differ behind the chunk only.
      write(redact(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()), ...(rest as []));
  }
}
