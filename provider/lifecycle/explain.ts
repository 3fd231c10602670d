import { type ErrorCode, ObservabilityError } from "../client/errors";
import type { Kind } from "../schema/kind";
import type { Run } from "./run";
import { secretTexts, strikeSecrets } from "./secrets";

/** In bytes. The engine hangs on messages above 64 KB; nobody reads this much. */
export const longestMessage = 3_500;

/** A failed operation on one object, in words for the user. */
class LifecycleError extends ObservabilityError {
  override readonly name = "LifecycleError";
  readonly #doing: string;

  constructor(code: ErrorCode, doing: string, message: string, options: ErrorOptions) {
    super(code, message, options);
    this.#doing = doing;
    // The provider host prints "<error>: <stack>" as an info line, beside the message at the resource.
    this.stack = "its error says why";
  }

  override toString(): string {
    return `unable to ${this.#doing}`;
  }
}

/** An error in the resource's own terms, without any secret of the objects at hand. */
export function explain(doing: string, error: unknown, run: Run, kind: Kind, ...objects: readonly unknown[]): Error {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof ObservabilityError ? error.code : "refused";
  const hint = code === "unauthenticated" ? `; ${tokenHint}` : "";
  // Struck before it is cut, so that no half of a secret is left at the end.
  const struck = strike(`unable to ${doing}: ${message}${hint}`, run, kind, ...objects);
  return new LifecycleError(code, doing, cut(struck, longestMessage), { cause: error });
}

const tokenHint =
  "set a valid observability:apiToken; refresh and destroy without the program use the token of the last update, " +
  'which "pulumi up" renews';

/** More are of no help at once, and would make the engine's message too long. */
const mostFailures = 20;

/** As many of a resource's failures, and as much of each, as a reader can use. */
export function readable(failures: readonly string[]): string[] {
  const told = failures.slice(0, mostFailures).map((reason) => cut(reason, longestMessage));
  return failures.length > mostFailures ? [...told, `and ${failures.length - mostFailures} more`] : told;
}

/** A text without any secret of the objects at hand. */
export function strike(text: string, run: Run, kind: Kind, ...objects: readonly unknown[]): string {
  return strikeSecrets(text, [...tokens(run), ...objects.flatMap((object) => secretTexts(kind.root, object))]);
}

/** The text in at most so many bytes, and always well-formed: half a character would hang the provider host. */
export function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return whole.toString();
  // What the cut leaves of a character at the end becomes U+FFFD, which is dropped.
  return `${whole
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, "")}…`;
}

function tokens({ settings }: Run): string[] {
  try {
    return [settings.apiToken];
  } catch {
    return []; // Not set, or unusable: then no request held it.
  }
}
