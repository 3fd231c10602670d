import fc from "fast-check";
import type { Adopt } from "../../dist/provider/client/settings.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { configurationOf } from "../property/arbitraries.js";
import type { Json } from "../property/meaning.js";
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
export const slugFromName = (name: string) => name.toLowerCase().replace(" ", "-");

/** One step of a life. Numbers pick among what is there at that moment. */
export type Command =
  | { readonly does: "declare"; readonly place: number; readonly config: Json }
  | { readonly does: "change"; readonly pick: number; readonly choice: number }
  | { readonly does: "change the slug"; readonly pick: number; readonly choice: number }
  | { readonly does: "drop"; readonly pick: number }
  | { readonly does: "edit outside"; readonly pick: number; readonly choice: number }
  | { readonly does: "delete outside"; readonly pick: number }
  | { readonly does: "create outside"; readonly pick: number; readonly choice: number; readonly isIdentical: boolean }
  | { readonly does: "restart the service" }
  | { readonly does: "preview"; readonly weather: Weather }
  | {
      readonly does: "up";
      readonly weather: Weather;
      readonly adopt: Adopt;
      readonly goesOn: boolean;
      readonly previewsFirst: boolean;
    }
  | { readonly does: "refresh"; readonly weather: Weather }
  | { readonly does: "destroy"; readonly weather: Weather; readonly goesOn: boolean };

const pick = fc.nat(1_000);
const choice = fc.nat();

const declare = places.map(({ kind }, place) =>
  fc.record({
    does: fc.constant("declare" as const),
    place: fc.constant(place),
    config: configurationOf(kind),
  }),
);

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(...declare) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("change" as const), pick, choice }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("change the slug" as const), pick, choice }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("drop" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("edit outside" as const), pick, choice }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delete outside" as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("create outside" as const), pick, choice, isIdentical: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("restart the service" as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("preview" as const), weather: weathers }) },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant("up" as const),
      weather: weathers,
      adopt: fc.constantFrom<Adopt[]>(false, false, false, "identical", true),
      goesOn: fc.boolean(),
      previewsFirst: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("refresh" as const), weather: weathers }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("destroy" as const), weather: weathers, goesOn: fc.boolean() }),
  },
);
