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

/** A kind of step, with what it draws. */
const step = <Name extends Command["does"], T extends object>(
  does: Name,
  drawn: { [Key in keyof T]: fc.Arbitrary<T[Key]> },
) => fc.record({ does: fc.constant(does), ...drawn });

const declare = places.map(({ kind }, place) =>
  step("declare", { place: fc.constant(place), config: configurationOf(kind) }),
);

const options = fc.tuple(...kinds.map(optionsOf)) as fc.Arbitrary<Options[]>; // one for each kind

const move = step("move", {
  pick,
  goesToComponent: fc.boolean(),
  changesProvider: fc.boolean(),
  changesName: fc.boolean(),
  keepsSlug: fc.boolean(),
  hasAlias: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  adopt: fc.constantFrom<(Adopt | undefined)[]>(true, true, "identical", undefined),
});

const setDefaults = step("set defaults", {
  // Most resources are the first one's.
  provider: fc.constantFrom(providers[0], ...providers),
  defaults: fc.record({ labels: someLabels, annotations: someLabels }, { requiredKeys: [], noNullPrototype: true }),
});

const createOutside = step("create outside", {
  pick,
  choice,
  as: fc.constantFrom("declared", "declared and more", "declared and more", "another"),
});

const up = step("up", {
  weather: weathers,
  adopt: adoptSetting,
  goesOn: fc.boolean(),
  previewsFirst: fc.boolean(),
  replaced: sometimes(pick),
  breaksAfter: sometimes(fc.integer({ min: 1, max: 4 })),
});

const weighted: readonly (readonly [weight: number, step: fc.Arbitrary<unknown>])[] = [
  // What changes the program, and what somebody else does meanwhile.
  [8, fc.oneof(...declare)],
  [4, step("change", { pick, choice })],
  [3, step("change the slug", { pick, choice })],
  [5, step("set options", { pick, options })],
  [7, move],
  [7, setDefaults],
  [2, step("drop", { pick })],
  [2, step("edit outside", { pick, choice })],
  [3, step("set a newer field", { pick, choice })],
  [2, step("delete outside", { pick })],
  [4, step("make anew outside", { pick, choice })],
  [3, step("change the address", { provider: fc.constantFrom(...providers), isOther: fc.boolean() })],
  [4, createOutside],
  [1, step("restart the service", {})],
  // What the user runs.
  [2, step("preview", { weather: weathers, adopt: adoptSetting })],
  [12, up],
  [5, step("compare", { adopt: adoptSetting, replaced: sometimes(pick) })],
  [3, step("refresh", { weather: weathers })],
  [1, step("destroy", { weather: weathers, goesOn: fc.boolean() })],
];

export const command = fc.oneof(
  ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })),
) as fc.Arbitrary<Command>; // each is one of its variants
