import { StringDecoder } from "node:string_decoder";
import { isRejection, serviceCodes } from "../../client/failures";
import {
  addressDoubt,
  ApiError,
  ObservabilityError,
  messagePartsOf,
  AlreadyExistsError,
  withEnd,
} from "../../client/errors";
import { redactSecrets } from "../../base/redact";
import { markedTexts, secretTexts } from "../../values/secrets";
import { fromWireWords } from "../../wire/codec";
import { isObject, tried } from "../../wire/json";
import type { Session } from "../session";
import type { Target } from "../objects/target";

/** In bytes. The engine hangs on messages above 64 KB, and a longer message is hard to read. */
const longestMessage = 3_500;

/** A failed verb on one object, in words for the user. */
class LifecycleError extends ObservabilityError {
  override readonly name = "LifecycleError";
  readonly #doing: string;

  constructor(error: unknown, doing: string, text: string, end: Parameters<typeof withEnd>[1]) {
    super(error instanceof ObservabilityError ? error.code : "refused", text, { ...end, cause: error });
    this.#doing = doing;
    // The provider host prints "<error>: <stack>" as an info line, in addition to the message at the resource.
    this.stack = "see the error at that resource";
  }

  override toString(): string {
    return `unable to ${this.#doing}`;
  }
}

/**
 * An error in the resource's own names, without any secret of the target or of the other objects.
 * @param others Other values that the service may echo, such as the old inputs.
 */
export function explain(doing: string, error: unknown, target: Target, ...others: readonly unknown[]): Error {
  const redacted = (text: string) => redact(text, target, ...others);
  const redactedIfSet = (text: string | undefined) => text && redacted(text);
  const requestId = error instanceof ObservabilityError ? error.requestId : undefined;
  const end = { hint: redactedIfSet(hintOf(error, target.session)), requestId: redactedIfSet(requestId) };
  // Secrets are redacted before the cut: otherwise half of one could remain at the end. They are redacted before the service's
  // words are respelled, too: that would change a secret that looks like a field.
  const texts = messagePartsOf(error).map((part) =>
    typeof part === "string" ? redacted(part) : fromWireWords(target.kind.args, redacted(part.words)),
  );
  const room = longestMessage - Buffer.byteLength(withEnd("…", end));
  const beginning = error instanceof AlreadyExistsError ? `${target.title} ` : `unable to ${doing}: `;
  const text = cutBytes(oneLine(`${redacted(beginning)}${texts.join("")}`), room);
  return new LifecycleError(error, redacted(doing), text, end);
}

/** The text without control characters, which could move the cursor, color the terminal or turn the text around. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");

/** The remedy: that of the error, or else the usual one for its cause. */
function hintOf(error: unknown, { settings }: Session): string | undefined {
  if (!(error instanceof ObservabilityError)) return undefined;
  if (error.hint !== undefined) return error.hint;
  if (error.code === "unauthenticated") return tokenHint;
  const access = error instanceof ApiError && error.operation.method === "GET" ? "read" : "write";
  if (error.code === "forbidden") return `Use a token that has ${access} access, or grant it to this token`;
  if (!(error instanceof ApiError)) return undefined;
  if (error.serviceCode === serviceCodes.noSuchRoute || error.status === 501 || (error.isHtml && error.status === 404))
    return addressDoubt(settings.baseUrl);
  return isRejection(error) && error.facts.words === "" ? "Ask the service's operators for the reason" : undefined;
}

/** The remedy for a rejected token. */
export const tokenHint =
  "Set a valid token where you set the current one: observability:apiToken (with --secret), OBSERVABILITY_API_TOKEN or " +
  'the apiToken of new obs.Provider. If only "pulumi refresh" or "pulumi destroy" fails, add --run-program';

/** More would not help, and would make the engine's message too long. */
const mostFailures = 20;

/** At most 20 failures, each at most 3,500 bytes long. */
export function cutFailures(failures: readonly string[]): string[] {
  const shown = failures.slice(0, mostFailures).map((reason) => cutBytes(reason, longestMessage));
  return failures.length > mostFailures ? [...shown, `and ${failures.length - mostFailures} more`] : shown;
}

/** Failures as one error's text. Encoded it is up to three times as long, and the engine hangs above 64 KB. */
export const failuresText = (failures: readonly string[]) => cutBytes(cutFailures(failures).join("\n"), 20_000);

/** The text without secrets: the token, the schema's secret fields, and all that the program or state marks as secret. */
export function redact(text: string, target: Target, ...others: readonly unknown[]): string {
  const { session, args } = target;
  const token = tried(() => session.settings.apiToken) ?? ""; // Without a usable one, no request was sent.
  const secrets = [token, ...[args, ...others].flatMap((object) => secretTextsIn(target, object))];
  return redactSecrets(text, secrets);
}

/** Every secret text in an object of the target's: what is declared, or what was recorded. */
function secretTextsIn({ kind, marks, added }: Target, object: unknown): readonly string[] {
  if (!isObject(object)) return [];
  return [...added.keys, ...secretTexts(kind.root, object), ...markedTexts(kind.root, object, marks)];
}

/** Cuts the text to so many bytes. Never cuts within a character: half a character would hang the provider host. */
export function cutBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return whole.toString();
  return `${new StringDecoder().write(whole.subarray(0, bytes))}…`;
}
