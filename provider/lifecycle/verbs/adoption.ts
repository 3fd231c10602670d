import { AlreadyExistsError } from "../../client/errors";
import { describeDifferences, placesOf } from "../../values/differences";
import { oneLine, redact } from "../notes/explain";
import { isRecordedAt, nameOf } from "../objects/claims";
import { type ExistingObject, lookUp, orThrow } from "../objects/lookUp";
import { codedNote } from "../notes/notes";
import type { Target } from "../objects/target";
import type { JsonObject } from "../../wire/json";
import { lostWriteOf, put, untilKnown, type WrittenObject } from "./write";

/** The result of adopting an existing object. */
interface Adoption {
  /** The line in the preview. */
  readonly text: string;
  /** False only if the service shows every declared value, and all are equal. */
  readonly writes: boolean;
  /** Whether existing values are lost. */
  readonly overwrites: boolean;
  /** The declaration, with the existing object's values in the places that the program ignores. */
  readonly target: Target;
}

/** @throws {AlreadyExistsError} if the existing object may not be adopted. */
export function adoptionOf(declared: Target, existing: ExistingObject): Adoption {
  const { session, kind, slug, objectKey, adopt, marks } = declared;
  const conflict = (words: string) => new AlreadyExistsError(`already exists${words}`);
  const target = existing.object === undefined ? declared : declared.keeping(existing.object);
  const found = existing.object && target.shownDifferences(existing.object);
  const other = found?.filter(({ isMasked }) => !isMasked) ?? [];
  const paths = other.map(({ path }) => path);
  const places = someOf(placesOf(kind.root, paths, marks));
  const redacted = (text: string) => redact(text, target);
  const remedy = `${kind.isSingleton ? "Set" : "Choose another slug, or set"} adopt: true to adopt and update it`;
  if (adopt === false) {
    const { claims, origin } = session;
    const leaver = claims
      .all()
      .find((each) => isRecordedAt(each, origin.serviceUrl, objectKey) && each.objectKey !== objectKey);
    if (leaver !== undefined) {
      throw conflict(
        ` and belongs to the resource "${nameOf(leaver)}" of this program, whose slug changes in the same update. Set adopt: true ` +
          "on both resources for this update, or change their slugs in two updates",
      );
    }
    if (found !== undefined && other.length === 0) {
      const own = kind.isSingleton ? "remove this resource" : "set observability:slugPrefix or another slug";
      throw conflict(
        ` and is identical. If another stack declares it, ${own}. If you renamed the resource, add the option aliases. ` +
          `Otherwise set adopt: "identical" to adopt the object${replacementRemedy(declared)}`,
      );
    }
    const differs = found === undefined ? "" : ` and differs in ${places}`;
    throw conflict(`${differs}. ${remedy}`);
  }
  if (found === undefined) {
    if (adopt === true) {
      const text = `adopts ${kind.existingTitleOf(slug)} and overwrites it. This service can't show which values change`;
      return { text: codedNote(text, "adopts"), writes: true, overwrites: true, target };
    }
    throw conflict(`, and this service can't show whether it is identical. ${remedy}`);
  }
  if (adopt === "identical" && other.length > 0) {
    throw conflict(
      ` and differs in ${places}, so adopt: "identical" can't adopt it. Declare the same values, or set adopt: true to adopt ` +
        `and update it. With adopt: true, the update ${describeDifferences(kind.root, other, redacted, marks)}`,
    );
  }
  const isIdentical = found.length === 0;
  const how = isIdentical ? "without changes" : `and ${describeDifferences(kind.root, found, redacted, marks)}`;
  const words = oneLine(redacted(`adopts ${kind.existingTitleOf(slug)} ${how}`));
  const text = codedNote(words, isIdentical ? "adopts-identical" : "adopts");
  return { text, writes: adopt === true || found.length > 0, overwrites: other.length > 0, target };
}

/** What a replacement that keeps its slug lacks. Only a class knows whether the program sets the option. */
function replacementRemedy({ session, context }: Target): string {
  const { deleteBeforeReplace, validatesLater } = context;
  const beginning = ". If the update replaces the resource, set";
  if (session.settings.onMissingDelete === "retain") return `${beginning} adopt: true`;
  if (validatesLater) return `${beginning} both adopt: "identical" and deleteBeforeReplace: true`;
  return deleteBeforeReplace ? "" : `${beginning} deleteBeforeReplace: true`;
}

/** Leaves room for the remedy, which follows the places in the message. */
const mostPlaces = 10;

function someOf(places: readonly string[]): string {
  const named = places.slice(0, mostPlaces);
  const more = places.length - named.length;
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more places`;
}

/**
 * Adopts an existing object if it may be adopted.
 * @param found What was just found: the first attempt need not look.
 * @throws {AlreadyExistsError} if not.
 */
export async function adopt(target: Target, found: ExistingObject): Promise<WrittenObject> {
  let latest: ExistingObject | undefined = found;
  let overwritten: JsonObject | undefined;
  return untilKnown(target, async (situation) => {
    const existing = latest ?? orThrow(await lookUp(target, { pages: "none", dryRuns: "without read" }));
    latest = undefined;
    if (existing.state === "absent") return { send: (start) => put(target, { begunAt: start }) };
    const kept = existing.object === undefined ? target : target.keeping(existing.object);
    const written = lostWriteOf(kept, existing, situation, overwritten);
    if (written !== undefined) return { done: written };
    const { text, writes, target: adopted } = adoptionOf(target, existing);
    target.session.noteOnce(text);
    overwritten = existing.object;
    if (!writes) return { done: { target: adopted, object: overwritten } };
    return { send: (start) => put(adopted, { overwritten: overwritten ?? {}, begunAt: start }) };
  });
}
