import fc, { type Arbitrary } from "fast-check";
import * as obs from "pulumi-observability";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { type Json } from "../property/meaning.js";
import { type Proxy } from "../property/proxy.js";
import { Standing, startService } from "../property/world.js";
import { newResource } from "../support/cases.js";
import { type Program } from "../support/engine.js";
import { token } from "../support/service.js";

/** Every run draws its own cases; `TEST_SEED` draws those of an earlier one. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** What a failure says, so that it can be met again. */
export const again = (what: unknown) => `TEST_SEED=${seed}: ${JSON.stringify(what)}`;

/**
 * A generated case of one kind, as a resource of a stack. The engine takes seconds where the provider's process takes
 * milliseconds, so many cases share a stack, and none is made smaller.
 */
export class Declared<T> extends Standing {
  constructor(
    readonly team: Team,
    kind: Kind,
    slug: string,
    readonly drawn: T,
  ) {
    super(team.service, kind, slug);
  }

  /** The resource's name in the program, from which its slug derives. */
  get name(): string {
    return this.slug;
  }

  /** Everything that a configuration comes to: with the name that it is given where it has none. */
  complete(config: Json): Json {
    return this.kind.isSingleton ? config : { ...config, name: config.name || this.name, slug: this.slug };
  }
}

/** A service with a provider of its own in the program: so each can have a case of the kind that stands alone. */
export interface Team {
  readonly name: string;
  readonly service: Standing["service"];
  readonly proxy: Proxy;
}

let teams = 0;

export async function newTeam(): Promise<Team> {
  return { name: `team-${++teams}`, ...(await startService()) };
}

/** Cases of every kind, as many of each as there are teams. */
export function draw<T>(of: (kind: Kind) => Arbitrary<T>, among: readonly Team[]): Declared<T>[] {
  return kinds.flatMap((kind) => {
    const drawn = fc.sample(fc.noBias(of(kind)), { numRuns: among.length, seed: seed + teams });
    return among.map((team, i) => new Declared(team, kind, `${team.name}-${kind.wire.one}`, drawn[i] as T)); // As many.
  });
}

/** A program of these resources, each with the arguments that `args` gives it, after what `before` makes of each team. */
export const programOf =
  <T>(
    all: readonly Declared<T>[],
    args: (each: Declared<T>) => Json,
    before: (team: Team, provider: obs.Provider) => void = () => undefined,
  ): Program =>
  () => {
    for (const team of new Set(all.map((each) => each.team))) {
      const provider = new obs.Provider(team.name, { baseUrl: team.proxy.url, apiToken: token });
      before(team, provider);
      for (const each of all.filter((one) => one.team === team))
        newResource(each.kind.name, each.name, args(each), { provider });
    }
  };
