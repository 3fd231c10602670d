import { expect } from "vitest";
import { titleOf } from "../support/cases.js";
import { isProtected } from "./engine.js";
import { isInItsOwnWay, isInTheWay, isMadeAnew, isSurelyRefused, refersToUnmade, type Result } from "./result.js";
import type { Standing } from "./service.js";
import { type Failure, keyOf } from "./state.js";
import { permittedKind, type Weather } from "./weather.js";

/** Every failure names its resource and a cause. */
export function hasWords({ verb, kind, slug, message, isSilent }: Failure, weather: Weather): void {
  if (message === isProtected) return;
  if (isSilent) return void expect(weather.sort).toBe("death");
  const isProof = verb === "check" && message.startsWith("unable to check baseUrl and apiToken: ");
  const doing = verb === "check" ? "validate" : verb;
  const title = titleOf(kind, slug);
  const isTaken = message.startsWith(`${title} already exists`);
  const beginning = isProof ? "unable to check " : isTaken ? title : `unable to ${doing} ${title}: `;
  // What the service found wrong begins with its place; the engine shows it under its resource.
  const isPlaced = verb === "check" && /^[a-z]\w*[\w.[\]"]*: ./.test(message);
  if (!isPlaced) expect(message.startsWith(beginning), `${message} begins with ${beginning}`).toBe(true);
  expect(message).toMatch(causes);
  if (!message.includes("reported success but returned")) return;
  expect(["{}", "no proof", "mixed up", "storm"], message).toContain(weather.sort);
}

const causes =
  /answered (?:\d{3}|with|without|\{)|failed: connection refused|was interrupted|no answer within|the answer was not complete within|no connection within|exists|may exist|answer was lost|there is no|not found|recreated outside this stack|belongs to the \S+ at|still exists|at the same time|was not created, so this may be|the service reported success but returned|ENOSPC/;

/** If no request is lost or delayed, nothing fails but what must, and what must fails. */
export function isExplained(result: Result, standing: ReadonlyMap<string, Standing>): void {
  const { operation, outcome, weather, goesOn, program } = result;
  if (weather.sort === "expired token") {
    if (operation === "preview" && program.length > 0)
      expect(outcome.failures, "a preview tells of a token that is refused").not.toEqual([]);
    return;
  }
  for (const failure of outcome.failures) {
    if (!isDue(failure, result, standing)) {
      throw new Error(`nothing explains why ${operation} fails: ${failure.urn}: ${failure.message}`);
    }
  }
  const isWhole = goesOn && !outcome.isBrokenOff && weather.sort === "clear";
  if (!isWhole || operation === "refresh" || operation === "destroy") return;
  const failed = new Set(outcome.failures.map(({ urn }) => urn));
  const silent = program
    .filter((each) => isSurelyRefused(each, result))
    .filter(({ urn }) => !failed.has(urn) && !outcome.skipped.has(urn));
  expect(
    silent.map(({ urn }) => urn),
    `${operation} tells what is in the way`,
  ).toEqual([]);
}

function isDue(failure: Failure, result: Result, standing: ReadonlyMap<string, Standing>): boolean {
  const { verb, kind, urn, slug, message } = failure;
  // Whether anything exists, such a token cannot tell.
  if (message === isProtected || result.weather.sort === "no reading") return true;
  if (/answered 403/.test(message)) return isForbidden(failure, result, standing);
  const declared = result.program.find((each) => each.urn === urn);
  const isCreated = verb === "check" || verb === "create";
  const refersToGone = kind.isSingleton && result.program.some((each) => refersToUnmade(each, result));
  if (refersToGone && /there is no dataset/.test(message)) return true;
  // Its new owner has another address, and what is under that one is not known. An older entry's owner may have its URN.
  const owners = result.program.filter((each) => keyOf(each.kind, each.slug) === keyOf(kind, slug));
  const isNotMade = owners.some(
    (owner) =>
      result.outcome.skipped.has(owner.urn) ||
      result.outcome.failures.some((each) => each !== failure && each.urn === owner.urn),
  );
  if (verb === "delete" && isNotMade && /was not created, so this may be its object/.test(message)) return true;
  // Without its list, nobody can say what an existing notifier is like, nor whose it is at another address.
  const isHidden = result.weather.sort === "no list of notifiers" && kind.name === "Notifier";
  const isElsewhere = /belongs to the \S+ at/.test(message);
  if (isHidden && result.stood.has(keyOf(kind, slug))) return isCreated || isElsewhere;
  if (
    declared !== undefined &&
    isMadeAnew(declared, result) &&
    (isCreated || verb === "update" || verb === "compare")
  ) {
    expect(message, "it names the remedy").toMatch(
      /(recreated outside this stack|already exists|belongs to the).*(adopt|URN)/s,
    );
    return true;
  }
  // Nothing of another address is believed to be gone, or to be another.
  const entries = result.recorded.filter((each) => keyOf(each.kind, each.id) === keyOf(kind, slug));
  const isLeft = entries.length > 1 || entries.some(({ isPendingReplacement }) => isPendingReplacement);
  const isRecordedOne = result.stood.has(keyOf(kind, slug)) && !result.others.has(keyOf(kind, slug)) && !isLeft;
  if (isElsewhere && (!isRecordedOne || isHidden || isForbidden(failure, result, standing))) return true;
  if (isCreated && declared !== undefined && (isInTheWay(declared, result) || isInItsOwnWay(declared, result))) {
    expect(message, "it names the remedy").toMatch(/already exists.*adopt/s);
    return true;
  }
  const allocations = [...standing.values(), ...result.stood.values()].filter((each) => each.kind.isSingleton);
  const isUsed = allocations.some(({ wire }) => JSON.stringify(wire).includes(`"dataset_slug":"${slug}"`));
  return verb === "delete" && kind.name === "Dataset" && isUsed && /is in use by/.test(message);
}

/** A token with fewer rights lacks them for this: of another kind, or where only a list proves that an object was deleted. */
function isForbidden(
  { verb, kind, slug }: Failure,
  { weather, stood }: Result,
  standing: ReadonlyMap<string, Standing>,
): boolean {
  // Before, or since another entry of the state for the same object was deleted.
  const isGone = !stood.has(keyOf(kind, slug)) || !standing.has(keyOf(kind, slug));
  switch (weather.sort) {
    case "rights for one kind":
      return kind !== permittedKind(weather) || (kind.isSingleton && isGone);
    case "no list of notifiers":
      // Notifiers are read by it; and of what no longer exists, neither a list nor the object proves anything.
      return kind.name === "Notifier" ? isGone || verb === "read" : isGone && kind.isSingleton;
    default:
      return false;
  }
}
