import type { Kind } from "../../schema/kind";
import { isWithin } from "../../schema/walk";
import { withKnownSecrets } from "../../values/drift";
import { isEquivalent } from "../../values/equal";
import { isPublicPlace } from "../../values/secrets";
import { pathsWhere, unknownPaths } from "../../values/unknown";
import { isObject, type JsonObject } from "../../wire/json";
import { explain } from "../notes/explain";
import { assertSameService, isUnderOtherUrl } from "../objects/ownership";
import { objectKey } from "../objects/claims";
import { lookUp } from "../objects/lookUp";
import { argumentsOf, markedIn, type RecordedState, stateOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";
import { assertRecorded, beginValidation, readsResults } from "./validate";

interface Compared {
  readonly changes: boolean;
  /** The arguments whose change needs a new object, which is created before the old one is deleted. */
  readonly replaces: readonly string[];
  /**
   * Whether the engine can name the changed places: it fails if a map's key is empty or ends with a backslash, and may
   * find none if only a secret's mark is new, or if the last write kept what the program ignored then.
   */
  readonly isNameable: boolean;
}

/** Compares recorded with declared arguments by meaning: another spelling is no change. */
export async function diff(
  session: Session,
  kind: Kind,
  slug: string,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Compared> {
  const state = stateOf(kind, outputs);
  const { createdAt, record } = state;
  const declared = Target.checked(session, kind, argumentsOf(kind, inputs), record);
  const recorded = declared.with(state.managed, slug);
  const kept = declared.ignoring(state.managed);
  const { args } = kept;
  const managed = withKnownSecrets(state.managed, record?.filledIn ?? {}, args);
  const isSame = isEquivalent(kind.root, managed, args);
  const isReplaced = !isSame && declared.slug !== kind.slugOf(managed);
  // State contains a value in plain text until it is written again.
  const fresh = markedIn(kept).filter((path) => !isWithin(path, record?.secrets ?? []));
  const isChanged = !isSame || fresh.some((path) => isPublicPlace(kind.root, args, path));
  try {
    await assertService(recorded, state);
    if (!isReplaced) {
      const claim = declared.ownClaim;
      if (claim !== undefined) session.compared.add(claim.instance);
      declared.amendClaim({
        // An object without arguments has no old inputs, which would show that state records it.
        ...(claim?.step === "awaited" ? { step: "updated" as const } : {}),
        recordedKey: objectKey(kind.name, slug),
        ...(createdAt === undefined ? {} : { createdAt }),
      });
      if (isChanged) await compareWithService(declared, state, isSame);
    }
  } catch (error) {
    throw explain(`compare ${recorded.title}`, error, recorded, args);
  }
  // Without a change, no call would follow that reports what the check, in this process, has rejected.
  const isRejected = session.claims
    .claimsOn(declared.objectKey)
    .some(({ instance }) => session.results.failuresOf(instance).length > 0);
  return {
    changes: isChanged || isRejected,
    replaces: isReplaced ? ["slug"] : [],
    isNameable: isChanged
      ? !isSame && record?.keepsIgnored !== true && ![managed, args].some(hasUnnameableKey)
      : !isRejected,
  };
}

/** An object that was recorded under another URL must be at this one, even if nothing changes. */
async function assertService(recorded: Target, state: RecordedState): Promise<void> {
  if (!isUnderOtherUrl(recorded, state)) return;
  assertSameService(recorded, state, (await lookUp(recorded)).object);
}

/** Validates an update. If `check` has done that, or only a mark changes, compares the object with what the service has. */
async function compareWithService(declared: Target, state: RecordedState, isSame: boolean): Promise<void> {
  const { session, context } = declared;
  if (context.dryRun !== true || session.settings.validate === "never") return;
  // Unknown values were reported as not validated.
  if (unknownPaths(declared.args).length > 0) return;
  if (!isSame && readsResults(declared)) {
    if (session.results.failuresOf(context.instance).length === 0)
      beginValidation(declared, { is: "update", before: state.managed, createdAt: state.createdAt });
    return;
  }
  const reported = { warnings: [], notes: [] };
  await assertRecorded(declared, state, reported);
  session.noteValidation(reported);
}

const hasUnnameableKey = (value: unknown) =>
  pathsWhere(value, (each) => isObject(each) && Object.keys(each).some((key) => key === "" || key.endsWith("\\")))
    .length > 0;
