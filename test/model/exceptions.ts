import { isProtected } from "./engine.js";
import { isInItsOwnWay, isInTheWay, type Result, saysDeclared } from "./result.js";
import { type Failure, keyOf, oldOf } from "./state.js";

/**
 * Why a preview and the update after it may disagree, by name.
 *
 * - in use: the service refuses to delete a dataset that something refers to, and only a delete asks for it.
 * - retained: a resource that is replaced under its slug, and was to be retained, or is from now on, is in its own way.
 * - by request: "--replace" does not tell check what is recorded, so that with `deleteBeforeReplace` only an object that
 *   says what is declared is taken for the resource's own.
 * - taken for its own: for the same reason, so is somebody else's object that says what is declared.
 * - pending: the engine does not tell that an object was deleted already for a replacement that failed then.
 * - elsewhere: a delete finds that the address has changed and the object is not there, and no preview asks about deletes;
 *   or a dataset is new under one spelling of the address, and referred to under the other.
 * - made room: an object is in the way that another resource of the program gives up in the same update.
 */
const exceptions = [
  "in use",
  "retained",
  "by request",
  "taken for its own",
  "pending",
  "elsewhere",
  "made room",
] as const;
export type Exception = (typeof exceptions)[number];

/** Each failure of one verdict that the other one does not share: the exception that it is, or its message. */
export function exceptionsOf(preview: Result, up: Result): { readonly named: Exception[]; readonly unnamed: string[] } {
  const failures = [...preview.outcome.failures, ...up.outcome.failures].filter(
    ({ message }) => message !== isProtected,
  );
  const reasons = failures.map((failure) => exceptionOf(failure, preview) ?? `${failure.urn}: ${failure.message}`);
  return {
    named: reasons.filter(isException),
    unnamed: reasons.filter((reason) => !isException(reason)),
  };
}

const isException = (reason: string): reason is Exception => exceptions.some((each) => each === reason);

function exceptionOf({ verb, urn, message }: Failure, preview: Result): Exception | undefined {
  if (verb === "delete" && message.includes("is in use by")) return "in use";
  if (verb === "delete" && /belongs to the \S+ at|was not created, so this may be/.test(message)) return "elsewhere";
  const declared = preview.program.find((each) => each.urn === urn);
  if (declared === undefined) return undefined;
  const referredTo = preview.program.filter((each) => declared.dependencies.includes(each.urn));
  const isOtherProvider = referredTo.some(({ provider }) => provider !== declared.provider);
  if (verb === "check" && /there is no dataset/.test(message) && isOtherProvider) return "elsewhere";
  const old = oldOf(declared, preview.recorded);
  if (old?.isPendingReplacement) return "pending";
  if (preview.replaced === urn) return "by request";
  if ((old?.options.retainOnDelete || declared.options.retainOnDelete) && isInItsOwnWay(declared, preview))
    return "retained";
  if (!isInTheWay(declared, preview)) return undefined;
  if (declared.options.deleteBeforeReplace === true && saysDeclared(declared, preview)) return "taken for its own";
  const key = keyOf(declared.kind, declared.slug);
  return preview.recorded.some((each) => each.urn !== urn && keyOf(each.kind, each.id) === key)
    ? "made room"
    : undefined;
}
