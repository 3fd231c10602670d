import type { Json } from "../property/equivalence.js";
import type { RestartableService, Standing } from "./service.js";
import { keyOf, type Recorded } from "./state.js";

/** What the model knows beside the state and the service: who made what, and what state cannot know. */
export class Memory {
  /** Objects of somebody else's, as they are to stay: to the byte. */
  readonly theirs = new Map<string, string>();
  /** Objects that are ours and not in state, of which the user was told, or could not be. */
  readonly told = new Set<string>();
  /** In state, and changed by somebody else or by a write whose outcome is in doubt, since state last heard of it. */
  readonly unsure = new Set<string>();
  /** As above, but a read does not tell: secrets are no drift. */
  readonly secretsUnsure = new Set<string>();
  /** Objects in state as state last heard of them. */
  readonly known = new Map<string, Json>();

  /** What stands in the service, as long as nothing was asked of it since. */
  #standing: ReadonlyMap<string, Standing> | undefined;

  constructor(private readonly service: RestartableService) {}

  /** The keys of objects that are not those which state records under their slugs. */
  othersIn(state: readonly Recorded[], standing: ReadonlyMap<string, Standing>): ReadonlySet<string> {
    return new Set(
      [...standing].flatMap(([key, { wire }]) => {
        const recorded = state.filter(({ kind, id }) => keyOf(kind, id) === key);
        return recorded.length > 0 && recorded.every((each) => this.isOther(each, wire)) ? [key] : [];
      }),
    );
  }

  /** Whether an object is not the recorded one. */
  isOther({ outputs }: Recorded, wire: Json): boolean {
    return outputs.createdAt !== undefined && outputs.createdAt !== this.service.clock.shown(wire.created_at);
  }

  async look(): Promise<ReadonlyMap<string, Standing>> {
    this.#standing ??= await this.service.standing();
    return this.#standing;
  }

  forgetStanding(): void {
    this.#standing = undefined;
  }
}
