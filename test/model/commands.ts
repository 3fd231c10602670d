import fc from "fast-check";
import type { Adopt } from "../../dist/provider/client/settings.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { configurationOf, someLabels } from "../property/configurations.js";
import type { Json } from "../property/equivalence.js";
import { type Options, optionsOf } from "./options.js";
import { type Defaults, type ProviderName, providers } from "./state.js";
import { type Weather, weathers } from "./weather.js";

/** A resource that a program may declare; the singleton has one place, every other kind two. */
export interface Place {
  readonly kind: Kind;
  readonly name: string;
}

export const places: readonly Place[] = kinds.flatMap((kind) =>
  (kind.isSingleton ? ["only"] : ["a", "b"]).map((name) => ({ kind, name: `${kind.name} ${name}` })),
);

/** Slugs that a program may give; without one, the slug is made of the name. */
export const slugs = ["first", "second", "third"] as const;
export const slugFromName = (name: string) => name.toLowerCase().replaceAll(" ", "-");

/** Where a resource goes in its program, and what the user gives it on the way. */
export interface Move {
  /** Into the component, or out of it. */
  readonly goesToComponent: boolean;
  readonly changesProvider: boolean;
  readonly changesName: boolean;
  /** Whether the program gives the slug that it had, so that it is another name's. */
  readonly keepsSlug: boolean;
  readonly hasAlias: boolean;
  readonly adopt: Adopt | undefined;
}

/** How an update is run. */
export interface Up {
  readonly weather: Weather;
  /** The providers' setting. */
  readonly adopt: Adopt;
  readonly goesOn: boolean;
  readonly previewsFirst: boolean;
  /** Picks a resource whose replacement is asked for. */
  readonly replaced?: number | undefined;
  /** The run is broken off after so many steps. */
  readonly breaksAfter?: number | undefined;
}

/** How a preview and an update are compared: without faults, and as far as each goes. */
export type Verdicts = Pick<Up, "adopt" | "replaced">;

/** One step of a life. Numbers pick among what is there at that moment. */
export type Command =
  | { readonly does: "declare"; readonly place: number; readonly config: Json }
  | { readonly does: "change"; readonly pick: number; readonly choice: number }
  | { readonly does: "change the slug"; readonly pick: number; readonly choice: number }
  /** One of each kind, because the pick is known only then. */
  | { readonly does: "set options"; readonly pick: number; readonly options: readonly Options[] }
  | ({ readonly does: "move"; readonly pick: number } & Move)
  | { readonly does: "set defaults"; readonly provider: ProviderName; readonly defaults: Defaults }
  | { readonly does: "drop"; readonly pick: number }
  | { readonly does: "edit outside"; readonly pick: number; readonly choice: number }
  | { readonly does: "set a newer field"; readonly pick: number; readonly choice: number }
  | { readonly does: "delete outside"; readonly pick: number }
  | {
      readonly does: "create outside";
      readonly pick: number;
      readonly choice: number;
      /** The same as declared, that and more, or another one. */
      readonly as: "declared" | "declared and more" | "another";
    }
  /** Deletes an object of ours, and creates another one under its slug. */
  | { readonly does: "make anew outside"; readonly pick: number; readonly choice: number }
  /** To the other spelling of it, or back. */
  | { readonly does: "change the address"; readonly provider: ProviderName; readonly isOther: boolean }
  | { readonly does: "restart the service" }
  | { readonly does: "preview"; readonly weather: Weather; readonly adopt: Adopt }
  | ({ readonly does: "up" } & Up)
  /** A preview and an update, whatever the preview says. */
  | ({ readonly does: "compare" } & Verdicts)
  | { readonly does: "refresh"; readonly weather: Weather }
  | { readonly does: "destroy"; readonly weather: Weather; readonly goesOn: boolean };

const pick = fc.nat(1_000);
const choice = fc.nat();
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const adoptSetting = fc.constantFrom<Adopt[]>(false, false, false, "identical", true);

const declare = places.map(({ kind }, place) =>
  fc.record({ does: fc.constant("declare" as const), place: fc.constant(place), config: configurationOf(kind) }),
);

const options = fc.tuple(...kinds.map(optionsOf)) as fc.Arbitrary<Options[]>; // one for each kind

const move = fc.record({
  does: fc.constant("move" as const),
  pick,
  goesToComponent: fc.boolean(),
  changesProvider: fc.boolean(),
  changesName: fc.boolean(),
  keepsSlug: fc.boolean(),
  hasAlias: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  adopt: fc.constantFrom<(Adopt | undefined)[]>(true, true, "identical", undefined),
});

const setDefaults = fc.record({
  does: fc.constant("set defaults" as const),
  // Most resources are the first one's.
  provider: fc.constantFrom(providers[0], ...providers),
  defaults: fc.record({ labels: someLabels, annotations: someLabels }, { requiredKeys: [], noNullPrototype: true }),
});

/** What changes the program, and what somebody else does meanwhile. */
const edits = {
  declare: { weight: 8, arbitrary: fc.oneof(...declare) },
  change: { weight: 4, arbitrary: fc.record({ does: fc.constant("change" as const), pick, choice }) },
  changeSlug: { weight: 3, arbitrary: fc.record({ does: fc.constant("change the slug" as const), pick, choice }) },
  setOptions: { weight: 5, arbitrary: fc.record({ does: fc.constant("set options" as const), pick, options }) },
  move: { weight: 7, arbitrary: move },
  setDefaults: { weight: 7, arbitrary: setDefaults },
  drop: { weight: 2, arbitrary: fc.record({ does: fc.constant("drop" as const), pick }) },
  editOutside: { weight: 2, arbitrary: fc.record({ does: fc.constant("edit outside" as const), pick, choice }) },
  setNewer: { weight: 3, arbitrary: fc.record({ does: fc.constant("set a newer field" as const), pick, choice }) },
  deleteOutside: { weight: 2, arbitrary: fc.record({ does: fc.constant("delete outside" as const), pick }) },
  makeAnewOutside: {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("make anew outside" as const), pick, choice }),
  },
  changeAddress: {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("change the address" as const),
      provider: fc.constantFrom(...providers),
      isOther: fc.boolean(),
    }),
  },
  createOutside: {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("create outside" as const),
      pick,
      choice,
      as: fc.constantFrom(
        "declared" as const,
        "declared and more" as const,
        "declared and more" as const,
        "another" as const,
      ),
    }),
  },
} as const;

const up = fc.record({
  does: fc.constant("up" as const),
  weather: weathers,
  adopt: adoptSetting,
  goesOn: fc.boolean(),
  previewsFirst: fc.boolean(),
  replaced: sometimes(pick),
  breaksAfter: sometimes(fc.integer({ min: 1, max: 4 })),
});

export const command: fc.Arbitrary<Command> = fc.oneof(
  ...Object.values<fc.WeightedArbitrary<Command>>(edits),
  { weight: 1, arbitrary: fc.record({ does: fc.constant("restart the service" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("preview" as const), weather: weathers, adopt: adoptSetting }),
  },
  { weight: 12, arbitrary: up },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant("compare" as const), adopt: adoptSetting, replaced: sometimes(pick) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("refresh" as const), weather: weathers }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("destroy" as const), weather: weathers, goesOn: fc.boolean() }),
  },
) as fc.Arbitrary<Command>; // each is one of its variants
