import type { Adopt } from "../../dist/provider/client/settings.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { knownDatasets } from "../property/rules.js";
import { type Json, offWire } from "../property/equivalence.js";
import { titleOf } from "../support/cases.js";
import { isIdentical, without } from "./agreement.js";
import { meant } from "./program.js";
import type { Standing } from "./service.js";
import { type Declared, keyOf, oldOf, type Outcome, type Recorded } from "./state.js";
import type { Weather } from "./weather.js";

/** What came of one operation, and what was before it. */
export interface Result {
  readonly operation: "preview" | "up" | "refresh" | "destroy";
  readonly weather: Weather;
  /** The providers' setting. */
  readonly adopt: Adopt;
  readonly goesOn: boolean;
  /** The URN whose replacement was asked for. */
  readonly replaced: string | undefined;
  readonly outcome: Outcome;
  readonly notes: readonly string[];
  readonly shownSecrets: readonly string[];
  readonly requests: number;
  readonly program: readonly Declared[];
  readonly recorded: readonly Recorded[];
  readonly stood: ReadonlyMap<string, Standing>;
  /** The keys of objects that are not those which state records under their slugs. */
  readonly others: ReadonlySet<string>;
}

/** How the note begins that tells of an adoption. */
export const adoptionOf = (kind: Kind, slug: string) =>
  `adopts the existing ${titleOf(kind, slug).replace(/^the /, "")}`;

/** Somebody deleted the resource's object and created another one under its slug. */
export const isMadeAnew = ({ kind, slug }: Pick<Declared, "kind" | "slug">, { others }: Pick<Result, "others">) =>
  others.has(keyOf(kind, slug));

/** Whether an existing object may be adopted by a create: the resource's option goes before the setting. */
export const adoptOf = ({ options }: Declared, { adopt }: Pick<Result, "adopt">): Adopt => options.adopt ?? adopt;

/** Whether the object under a resource's slug stood there before and says what is declared. */
export function saysDeclared(declared: Declared, { stood }: Pick<Result, "stood">): boolean {
  const { kind, slug } = declared;
  const wire = stood.get(keyOf(kind, slug))?.wire;
  if (wire === undefined) return false;
  const [desired, live] = [meant(declared), offWire(kind.root, wire) as Json].map((args) =>
    without(args, declared.options.ignoreChanges),
  );
  return isIdentical(kind.root, desired, live);
}

const mayTake = (declared: Declared, result: Result) => {
  const adopt = adoptOf(declared, result);
  return adopt === true || (adopt === "identical" && saysDeclared(declared, result));
};

const ownOf = (declared: Declared, { recorded }: Result) => {
  const old = oldOf(declared, recorded);
  return old?.id === declared.slug ? old : undefined;
};

/** An object stands under the slug, it is not the resource's own, and the program does not say to take it over. */
export function isInTheWay(declared: Declared, result: Result): boolean {
  const own = ownOf(declared, result);
  const isOwn = own !== undefined && !own.isPendingReplacement && !isMadeAnew(declared, result);
  return result.stood.has(keyOf(declared.kind, declared.slug)) && !isOwn && !mayTake(declared, result);
}

/**
 * The resource's own object is in its way: it is replaced under its slug, and not deleted first. Asked for by "--replace",
 * what is recorded is not told to check, so that only an object that says what is declared is taken for its own. Whether
 * it is retained, the engine takes from state, and check from the program.
 */
export function isInItsOwnWay(declared: Declared, result: Result): boolean {
  const own = ownOf(declared, result);
  const { deleteBeforeReplace, replaceOnChanges } = declared.options;
  if (own === undefined || mayTake(declared, result)) return false;
  const isCreatedFirst = deleteBeforeReplace === false && (replaceOnChanges.length > 0 || own.isPendingReplacement);
  return (
    result.replaced === declared.urn || isCreatedFirst || own.options.retainOnDelete || declared.options.retainOnDelete
  );
}

/** What is in the way for certain: nothing makes room for it in this operation, and its check hears of it. */
export function isSurelyRefused(declared: Declared, result: Result): boolean {
  if (!isInTheWay(declared, result) || ownOf(declared, result) !== undefined) return false;
  // Because of "--replace", an object that says what is declared may be taken for the resource's own.
  if (declared.options.deleteBeforeReplace === true && saysDeclared(declared, result)) return false;
  const key = keyOf(declared.kind, declared.slug);
  return !result.program.some((other) => {
    const old = oldOf(other, result.recorded);
    return other.urn !== declared.urn && old !== undefined && keyOf(old.kind, old.id) === key;
  });
}

/** It refers to a dataset that is not there. */
export const refersToUnmade = ({ args }: Declared, { stood }: Result) =>
  (args.datasetAllocations ?? []).some(
    ({ datasetSlug }: Json) => !knownDatasets.includes(datasetSlug) && !stood.has(`Dataset/${datasetSlug}`),
  );
