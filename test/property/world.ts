import type { Service } from "@pulumi-observability/service";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { pathOf } from "../support/cases.js";
import { ownProxy } from "../support/faults.js";
import { type LocalHost, localHost } from "../support/host.js";
import { ask, live, ownService, token } from "../support/service.js";
import { knownDatasets } from "./rules.js";
import { type Json, offWire, onWire } from "./equivalence.js";
import { Manners } from "./proxy.js";

/** Puts there what generated configurations refer to. */
export async function seed(service: Service): Promise<void> {
  for (const slug of knownDatasets) {
    await ask(service, "POST", "/api/v1/config/datasets", {
      dataset: { slug, name: slug, configuration: { type: "LOGS", log_dataset: {} } },
    });
  }
}

/** The service, the manners in which it answers, and a provider host that knows it only so. */
export interface World {
  readonly service: Service;
  readonly manners: Manners;
  readonly host: LocalHost;
}

export async function startWorld(): Promise<World> {
  // In plain text, so that a test sees whether a secret is lost; the manners mask them.
  const service = await ownService({ strict: true, showSecrets: true });
  await seed(service);
  const manners = new Manners();
  const proxy = await ownProxy(service.url, manners);
  const host = localHost({ baseUrl: proxy.url, apiToken: token });
  return { service, manners, host };
}

let count = 0;

/** One resource of a generated case, under a slug that no other case has. */
export class Resource {
  readonly slug = `case-${++count}`;
  readonly id: string;

  constructor(
    readonly world: World,
    readonly kind: Kind,
    /** Whether the program gives the slug, or leaves it to be derived from the resource's name. */
    readonly givesSlug = true,
  ) {
    this.id = kind.isSingleton ? kind.singletonId : this.slug;
  }

  /** The object as the service has it, on the wire; nothing where there is none. */
  live = (): Promise<Json | undefined> => live(this.world.service, this.kind.name, this.id);

  /** The same in the arguments' spelling. */
  liveArguments = async () => offWire(this.kind.root, await this.live()) as Json;

  /** Writes the object as some other client would. */
  async writeOutside(config: Json): Promise<void> {
    const { status, body } = await ask(this.world.service, "PUT", pathOf(this.kind, this.id), {
      [this.kind.wire.one]: onWire(this.kind.root, this.kind.isSingleton ? config : { ...config, slug: this.slug }),
    });
    if (status !== 200) throw new Error(`the outside edit is refused: ${JSON.stringify(body)}`);
  }

  /** Deletes the object as some other client would: the singleton makes room for the next case. */
  async deleteOutside(): Promise<void> {
    const { status, body } = await ask(this.world.service, "DELETE", pathOf(this.kind, this.id));
    if (status !== 200 && status !== 404) throw new Error(`it is not deleted: ${JSON.stringify(body)}`);
  }

  /** What a program declares. */
  declared(config: Json): Json {
    return this.kind.isSingleton || !this.givesSlug || "slug" in config ? config : { ...config, slug: this.slug };
  }

  /** The provider's check of a declaration, as the engine asks for it. */
  async check(olds: Json, config: Json, { dryRun = true, ...more }: Json = {}) {
    // One instance for each object: generated cases follow one another, and some share a slug that is wrong anyway.
    const instance = JSON.stringify([this.kind.name, this.kind.isSingleton ? "" : config.slug || this.slug]);
    // Of the singleton each case looks like the replacement of the one before, which it is not.
    const alone = this.kind.isSingleton ? { deleteBeforeReplace: false } : {};
    const context = { dryRun, name: this.slug, instance, ...alone, ...more };
    return this.world.host.check(this.kind.name, olds, { ...this.declared(config), __ctx: context });
  }

  create = (inputs: Json) => this.world.host.create(this.kind.name, inputs);
  update = (olds: Json, news: Json) => this.world.host.update(this.kind.name, this.id, olds, news);
  read = (outputs: Json) => this.world.host.read(this.kind.name, this.id, outputs);
  diff = async (olds: Json, news: Json) => (await this.world.host.diff(this.kind.name, this.id, olds, news)).changes;

  /** What the provider asked of the service about this object since the last call. */
  requests = () => this.world.manners.take(this.id);
}
