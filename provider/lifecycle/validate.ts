import { isMissingOperation, isOutage, isRefusal, mayBeTaken } from "../client/answers";
import { type ApiError, type Problem } from "../client/errors";
import { saysInvalid, serviceCodes } from "../client/serviceCodes";
import type { Validation } from "../protocol";
import type { Kind } from "../schema/kind";
import { formatPath } from "../schema/walk";
import { leaves } from "../values/leaves";
import { fromWirePath, fromWireWords } from "../wire/codec";
import { type JsonObject } from "../wire/json";
import { differencesFrom, takenBy, takeOverOf } from "./adoption";
import { cut, explain, oneLine, redact } from "./explain";
import { isAnother, notOurs, type Recorded } from "./identity";
import { dryRunPut, explainMissing, find, isTaken, isUnlisted, shown, type Existing } from "./lookUp";
import { goneNote, validating } from "./notes";
import type { Target } from "./target";

/** What the user is told in addition to failures. */
interface Said {
  readonly warnings: string[];
  readonly notes: string[];
}

/** How a declaration is created. */
export interface Creation {
  /** Whether the object under the slug may be the resource's own, which "--replace" replaces. */
  readonly mayReplaceItself: boolean;
}

/** How an existing object is updated. */
export interface Change {
  /** The old arguments: the service may echo their secrets. */
  readonly before?: JsonObject;
  /** When the recorded object was created, if that is known; another one is not updated. */
  readonly createdAt?: string | undefined;
}

/** Validates a new or changed declaration by dry run of the same request that create or update would send. */
export function validate(target: Target, how: Creation | Change): Promise<Validation> {
  const { run, kind, wanted } = target;
  const isCreation = "mayReplaceItself" in how;
  return run.validations.once([kind.name, isCreation ? how : undefined, wanted], () =>
    isCreation ? validateCreate(target, how) : validateUpdate(target, how),
  );
}

async function validateUpdate(target: Target, { before = {}, createdAt }: Change): Promise<Validation> {
  return validationOf(target, before, async (said) => {
    if (createdAt !== undefined) await assertRecorded(target, { createdAt }, said);
    try {
      await dryRunPut(target, { createIfMissing: false });
    } catch (error) {
      // The object is gone, or the operation is missing: in that case this request answers 404 too.
      if (!isRefusal(error) || error.status !== 404) throw error;
      await dryRunPut(target, { createIfMissing: true });
      said.warnings.push(goneNote(target.title));
    }
  });
}

/** Makes sure that the object is the recorded one, or may be taken over. */
export async function assertRecorded(target: Target, recorded: Recorded, said: Said): Promise<void> {
  const object = await shown(target, { byPages: true });
  if (object === undefined || !isAnother(recorded, object)) return;
  if (target.adopt === false) throw notOurs(recorded, object);
  allowTaken(target, { state: "present", object, date: undefined }, { mayReplaceItself: false }, said);
}

/** Also checks whether the slug is free. */
async function validateCreate(target: Target, creation: Creation): Promise<Validation> {
  const { run, kind, wire } = target;
  return validationOf(target, {}, async (said) => {
    if (kind.createsByPut) {
      const isFree = (await isUnlisted(target)) || !(await isTaken(target));
      if (isFree) return dryRunPut(target, { createIfMissing: true });
      const existing = await takenBy(target);
      // `isTaken` was already a dry run of the update that would take the object over.
      if (existing.state !== "absent") allowTaken(target, existing, creation, said);
      return;
    }
    try {
      await run.client.post(kind, wire, { dryRun: true });
    } catch (error) {
      if (!mayBeTaken(error)) throw error;
      // A failed look-up must not hide the service's refusal.
      const existing = await find(target).catch(() => {
        throw error;
      });
      if (existing.state === "absent") throw error;
      const writes = allowTaken(target, existing, creation, said);
      if (writes) await dryRunPut(target, { createIfMissing: true });
    }
  });
}

/**
 * Allows a create although the slug is taken, or throws. Tells the user what it does to the object.
 * @returns whether it writes the object.
 */
function allowTaken(target: Target, existing: Existing, { mayReplaceItself }: Creation, said: Said): boolean {
  const { title, adopt } = target;
  const isDeletable = target.run.settings.onMissingDelete !== "retain";
  const replacesFirst = mayReplaceItself && isDeletable && target.context.deleteBeforeReplace === true;
  if (replacesFirst && adopt === false && isLikelyOwn(target, existing)) {
    said.warnings.push(
      `${title} already exists: if it is not this resource's own, which deleteBeforeReplace deletes first, the update fails`,
    );
    return true;
  }
  const { text, writes, overwrites } = takeOverOf(target, existing);
  (overwrites ? said.warnings : said.notes).push(text);
  return writes;
}

/** Whether the object may be the resource's own: it equals the declaration, or the service does not show it. */
const isLikelyOwn = (target: Target, existing: Existing) =>
  existing.state === "unreadable" || differencesFrom(target, existing.object).every(({ isMasked }) => isMasked);

/** Turns the result of the dry runs into failures, warnings and notes. */
async function validationOf(
  target: Target,
  before: JsonObject,
  ask: (said: Said) => Promise<void>,
): Promise<Validation> {
  const { kind, title } = target;
  const said: Said = { warnings: [], notes: [] };
  try {
    await ask(said);
    return { failures: [], ...said };
  } catch (error) {
    const told = explain(validating(title), await explainMissing(target, error), target, before).message;
    if (isRefusal(error) && !isMissingOperation(error)) {
      const planned = plannedReferences(target);
      const isPlanned = ({ path }: Problem) => planned.includes(fromWirePath(kind.root, path));
      const isUnknownReference = error.serviceCode === serviceCodes.unknownReference;
      const isInvalid = saysInvalid(error);
      // The service does not know objects yet that this run creates.
      const open = isInvalid ? error.problems : error.problems.filter((problem) => !isPlanned(problem));
      const isUndecided = planned.length > 0 && !isUnknownReference && !isInvalid;
      if (isUndecided && open.length === 0) return { failures: [], ...said, warnings: [...said.warnings, told] };
      if (error.problems.length > 0) {
        const redacted = (text: string) => oneLine(redact(text, target, before));
        return { failures: open.map((problem) => problemText(kind, error, problem, redacted)), ...said };
      }
    }
    return { failures: [told], warnings: [], isOutage: isOutage(error) };
  }
}

const longestProblem = 500;

function problemText(
  kind: Kind,
  { serviceCode }: ApiError,
  { path, message }: Problem,
  redacted: (text: string) => string,
): string {
  // Secrets are redacted first: respelling a secret would hide it from the search.
  const place = fromWirePath(kind.root, redacted(path));
  const hint =
    serviceCode === serviceCodes.unknownReference
      ? "; if it is a resource of this program, pass its slug output instead of a text"
      : "";
  const words = fromWireWords(kind.args, cut(redacted(message), longestProblem));
  return `${place === "" ? "" : `${place}: `}${words}${hint}`;
}

/** The paths of references to objects that this run writes: the service may not know them yet. */
function plannedReferences({ run, kind, wanted }: Target): string[] {
  return leaves(kind.root, wanted)
    .filter(({ field: { options }, value }) => {
      return (
        options.refersTo !== undefined &&
        typeof value === "string" &&
        run.declarations.isPlanned(options.refersTo, value)
      );
    })
    .map(({ path }) => formatPath(path));
}
