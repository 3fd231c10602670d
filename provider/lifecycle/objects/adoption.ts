import { AlreadyExistsError } from "../../client/errors";
import { describeDifferences, placesOf } from "../../values/differences";
import { objectAt } from "./declarations";
import { oneLine, redact } from "../notes/explain";
import type { ExistingObject } from "./lookUp";
import { codedNote } from "../notes/notes";
import type { Target } from "./target";

/** The result of adopting an existing object. */
export interface Adoption {
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
  const { run, kind, slug, title, adopt } = declared;
  const { marks } = declared;
  const conflict = (words: string) => new AlreadyExistsError(`already exists${words}`);
  const target = existing.state === "present" ? declared.keeping(existing.object) : declared;
  const found = existing.state === "present" ? target.shownDifferences(existing.object) : undefined;
  const other = found?.filter(({ isMasked }) => !isMasked) ?? [];
  const places = someOf(placesOf(kind.root, other, marks));
  const redacted = (text: string) => redact(text, target);
  const elsewhere = kind.isSingleton ? "Set" : "Choose another slug, or set";
  if (adopt === false) {
    const here = objectAt(kind.name, slug);
    const leaver = run.declarations.claims.all().find(({ recorded, object }) => recorded === here && object !== here);
    if (leaver !== undefined) {
      throw conflict(
        `: it is the object of "${leaver.name}" in this program, which changes its slug in the same update. Set adopt: true ` +
          "on both for this update, or change one slug after the other",
      );
    }
    if (found !== undefined && other.length === 0) {
      throw conflict(
        ' and is identical. To adopt it, set adopt: "identical". If you renamed the resource, add the option aliases ' +
          `instead; if it is being replaced, set ${run.settings.onMissingDelete === "retain" ? "adopt" : "deleteBeforeReplace"}: true`,
      );
    }
    const differs = found === undefined ? "" : ` and differs in ${places}`;
    throw conflict(`${differs}. ${elsewhere} adopt: true to adopt and update it`);
  }
  if (found === undefined) {
    if (adopt === true) {
      const text = `adopts the existing ${title} and overwrites it: this service can't show what changes`;
      return { text: codedNote(text, "adopts"), writes: true, overwrites: true, target };
    }
    throw conflict(
      `, and this service can't show whether it is identical. ${elsewhere} adopt: true to adopt and update it`,
    );
  }
  if (adopt === "identical" && other.length > 0) {
    throw conflict(
      ` and differs in ${places}. Declare the same values, or set adopt: true to adopt and update it. With adopt: true, the ` +
        `update ${describeDifferences(kind.root, other, redacted, marks)}`,
    );
  }
  const isIdentical = found.length === 0;
  const how = isIdentical ? "without changes" : `and ${describeDifferences(kind.root, found, redacted, marks)}`;
  const words = oneLine(redacted(`adopts the existing ${title} ${how}`));
  const text = codedNote(words, isIdentical ? "adopts-identical" : "adopts");
  return { text, writes: adopt === true || found.length > 0, overwrites: other.length > 0, target };
}

/** Leaves room for the remedy, which follows the places in the message. */
const mostPlaces = 10;

function someOf(places: readonly string[]): string {
  const named = places.slice(0, mostPlaces);
  const more = places.length - named.length;
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more places`;
}
