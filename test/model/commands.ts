import fc from "fast-check";
import type { Adopt } from "../../dist/provider/client/settings.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { configurationOf, someLabels } from "../property/configurations.js";
import type { Drawn } from "../property/random.js";
import { type Options, optionsOf } from "./options.js";
import { providers } from "./state.js";
import { weathers } from "./weather.js";

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

/** Picks among what is there at that moment. */
const pick = fc.nat(1_000);
const choice = fc.nat();
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const adoptSetting = fc.constantFrom<Adopt[]>(false, false, false, "identical", true);

/** A kind of step, with what it draws. */
const step = <Name extends string, T extends object>(does: Name, drawn: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
  fc.record({ does: fc.constant(does), ...drawn }) as fc.Arbitrary<{ readonly does: Name } & Readonly<T>>; // what it draws

const declare = places.map(({ kind }, place) =>
  step("declare", { place: fc.constant(place), config: configurationOf(kind) }),
);

/** One of each kind, because the pick is known only then. */
const options = fc.tuple(...kinds.map(optionsOf)) as fc.Arbitrary<Options[]>; // one for each kind

/** Where a resource goes in its program, and what the user gives it on the way. */
const move = step("move", {
  pick,
  /** Into the component, or out of it. */
  goesToComponent: fc.boolean(),
  changesProvider: fc.boolean(),
  changesName: fc.boolean(),
  /** Whether the program gives the slug that it had, so that it is another name's. */
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
  /** The same as declared, that and more, or another one. */
  as: fc.constantFrom("declared", "declared and more", "declared and more", "another"),
});

/** How an update is run. */
const up = step("up", {
  weather: weathers,
  /** The providers' setting. */
  adopt: adoptSetting,
  goesOn: fc.boolean(),
  previewsFirst: fc.boolean(),
  /** Picks a resource whose replacement is asked for. */
  replaced: sometimes(pick),
  /** The run is broken off after so many steps. */
  breaksAfter: sometimes(fc.integer({ min: 1, max: 4 })),
});

const weighted = [
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
  // Deletes an object of ours, and creates another one under its slug.
  [4, step("make anew outside", { pick, choice })],
  // To the other spelling of it, or back.
  [3, step("change the address", { provider: fc.constantFrom(...providers), isOther: fc.boolean() })],
  [4, createOutside],
  [1, step("restart the service", {})],
  // What the user runs.
  [2, step("preview", { weather: weathers, adopt: adoptSetting })],
  [12, up],
  // A preview and an update, whatever the preview says: without faults, and as far as each goes.
  [5, step("compare", { adopt: adoptSetting, replaced: sometimes(pick) })],
  [3, step("refresh", { weather: weathers })],
  [1, step("destroy", { weather: weathers, goesOn: fc.boolean() })],
] as const;

/** One step of a life. */
export type Command = Drawn<(typeof weighted)[number][1]>;
type Asked<Name> = Omit<Extract<Command, { does: Name }>, "does">;
export type Move = Omit<Asked<"move">, "pick">;
export type Up = Omit<Asked<"up">, "replaced" | "breaksAfter"> & Partial<Pick<Asked<"up">, "replaced" | "breaksAfter">>;
export type Verdicts = Asked<"compare">;

export const command = fc.oneof(
  ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })),
) as fc.Arbitrary<Command>; // each is one of its variants
