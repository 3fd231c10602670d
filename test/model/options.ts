import fc from "fast-check";
import type { Adopt } from "../../dist/provider/client/settings.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Drawn } from "../property/random.js";

/** A resource's options, those of Pulumi and our own. */
export type Options = Drawn<ReturnType<typeof optionsOf>>;

export const noOptions: Options = {
  adopt: undefined,
  deleteBeforeReplace: undefined,
  isTransformed: false,
  replaceOnChanges: [],
  ignoreChanges: [],
  retainOnDelete: false,
  protect: false,
  comesLate: false,
  marks: [],
};

/** Arguments of which an old value goes with every new value of the others. */
const independent = [
  "annotations",
  "labels",
  "description",
  "notificationPolicySlug",
  "bucketSlug",
  "metricLabels",
  "skipResolved",
  "propagateTags",
];

const argumentNames = ({ args }: Kind) =>
  Object.keys(args.fields).filter((name) => name !== "slug" && name !== "datasetAllocations");

/** The option, or none: every combination that Pulumi allows. */
export const optionsOf = (kind: Kind) => {
  const ignorable = independent.filter((name) => Object.hasOwn(kind.args.fields, name));
  const sometimes = (weight: number) =>
    fc.oneof({ weight, arbitrary: fc.constant(true) }, { weight: 10 - weight, arbitrary: fc.constant(false) });
  const names = (from: readonly string[], weight: number): fc.Arbitrary<readonly string[]> =>
    from.length === 0
      ? fc.constant([])
      : fc.oneof(
          { weight, arbitrary: fc.subarray([...from], { minLength: 1 }) },
          { weight: 10 - weight, arbitrary: fc.constant([]) },
        );
  return fc
    .record({
      /** Goes before the provider's setting. */
      adopt: fc.constantFrom<(Adopt | undefined)[]>(undefined, undefined, false, "identical", true, true),
      deleteBeforeReplace: fc.constantFrom(undefined, undefined, true, true, false),
      /** A transform sets `deleteBeforeReplace`, so that the class does not see it. */
      isTransformed: sometimes(2),
      replaceOnChanges: names(argumentNames(kind), 4),
      ignoreChanges: names(ignorable, 2),
      retainOnDelete: sometimes(1),
      protect: sometimes(1),
      /** `dependsOn` the program's first resource. */
      comesLate: sometimes(3),
      /** The arguments that the program marks as secret, if it gives them. */
      marks: names(argumentNames(kind), 5),
    })
    .map((options) => ({
      ...options,
      // A transform that asks for "create first" where the class says nothing: see exceptions.ts.
      isTransformed: options.isTransformed && options.deleteBeforeReplace === true,
    }));
};
