import type { RestartableService, Standing } from "./service.js";

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

  /** What stands at the service, as long as nothing was asked of it since. */
  #standing: ReadonlyMap<string, Standing> | undefined;

  constructor(private readonly service: RestartableService) {}

  async look(): Promise<ReadonlyMap<string, Standing>> {
    this.#standing ??= await this.service.standing();
    return this.#standing;
  }

  forgetStanding(): void {
    this.#standing = undefined;
  }
}
