import { join } from "node:path";
import { type Service, startService } from "@pulumi-observability/service";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { knownDatasets } from "../property/rules.js";
import { type Json, offWire, onWire } from "../property/equivalence.js";
import { seed } from "../property/world.js";
import { pathOf } from "../support/cases.js";
import { type FaultProxy, ownProxy } from "../support/faults.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, put, token } from "../support/service.js";
import { Clock } from "./clock.js";
import { slugFromName, slugs } from "./commands.js";
import { type Newer, NewerFields } from "./newer.js";
import { keyOf } from "./state.js";

/** Every slug that a dataset may have in a program. */
const datasets = kinds
  .filter(({ name }) => name === "Dataset")
  .flatMap(({ name }) => [...slugs, ...["a", "b", "a 2", "b 2"].map((each) => slugFromName(`${name} ${each}`))]);

/** One object as the service answers with it. */
export interface Standing {
  readonly kind: Kind;
  readonly slug: string;
  readonly wire: Json;
  /** Fields beyond the schema. */
  readonly newer: readonly Newer[];
  /** How often there was a new object under the slug. */
  readonly birth: number;
}

/** A service on a database file that can be started again, and the proxy through which the provider knows it. */
export class RestartableService {
  readonly clock = new Clock();
  #service: Service;

  private constructor(
    service: Service,
    readonly proxy: FaultProxy,
    private readonly newer: NewerFields,
    readonly showsSecrets: boolean,
    private readonly database: string,
  ) {
    this.#service = service;
  }

  static async start(showsSecrets: boolean): Promise<RestartableService> {
    const database = join(ownFolder(), "service.db");
    const service = await ownService({ database, strict: true, showSecrets: showsSecrets });
    await seed(service);
    const newer = new NewerFields();
    return new RestartableService(service, await ownProxy(service.url, newer), newer, showsSecrets, database);
  }

  /** Ends and comes back under the same address, with what it had. */
  async restart(): Promise<void> {
    const { port } = this.#service;
    await this.#service.close();
    this.#service = await startService({
      database: this.database,
      strict: true,
      showSecrets: this.showsSecrets,
      token,
      port,
    });
  }

  async close(): Promise<void> {
    await this.#service.close();
  }

  /** Everything that stands in the service, by kind and slug, past the proxy. */
  async standing(): Promise<Map<string, Standing>> {
    const show = (kind: Kind, slug: string, wire: Json): Standing => {
      const key = keyOf(kind, slug);
      return { kind, slug, wire, newer: this.newer.fieldsOf(key, wire), birth: this.newer.birthOf(key) };
    };
    const found = await Promise.all(
      kinds.map(async (kind): Promise<Standing[]> => {
        if (kind.isSingleton) {
          const { status, body } = await ask(this.#service, "GET", pathOf(kind, ""));
          return status === 200 ? [show(kind, kind.singletonId, body[kind.wire.one] as Json)] : [];
        }
        const { body } = await ask(this.#service, "GET", `${kind.family.list?.path}?page.max_size=1000`);
        return (body[String(kind.wire.many)] as Json[]).map((wire) => show(kind, String(wire.slug), wire));
      }),
    );
    const own = found.flat().filter(({ kind, slug }) => kind.name !== "Dataset" || !knownDatasets.includes(slug));
    return new Map(own.map((each) => [keyOf(each.kind, each.slug), each]));
  }

  /** Writes as some other client would; answers with the object, or nothing where the service refuses it. */
  async write(kind: Kind, slug: string, args: Json): Promise<Json | undefined> {
    return write(this.#service, kind, slug, args);
  }

  /** Gets a write of ours past the proxy. */
  async deliver(path: string, body: unknown): Promise<void> {
    await ask(this.#service, "PUT", path, body);
  }

  /** Deletes as some other client would; answers whether the service did it. */
  async delete(kind: Kind, slug: string): Promise<boolean> {
    const isDone = (await ask(this.#service, "DELETE", pathOf(kind, slug))).status === 200;
    if (isDone) this.newer.forget(keyOf(kind, slug));
    return isDone;
  }

  /** Sets a field that the schema does not know, as somebody with a newer client would. */
  addNewer({ kind, slug, wire }: Standing, choice: number): void {
    this.newer.add(kind, slug, wire, choice);
  }

  async wipe(): Promise<void> {
    // What refers to others goes before them.
    const all = [...(await this.standing()).values()].sort(
      (a, b) => Number(b.kind.isSingleton) - Number(a.kind.isSingleton),
    );
    for (const { kind, slug } of all) await this.delete(kind, slug);
  }
}

async function write(service: Service, kind: Kind, slug: string, args: Json): Promise<Json | undefined> {
  const { status, body } = await ask(service, "PUT", pathOf(kind, slug), {
    create_if_missing: true,
    [kind.wire.one]: onWire(kind.root, kind.isSingleton ? args : { ...args, slug }),
  });
  return status === 200 ? (body[kind.wire.one] as Json) : undefined;
}

/** A second service that tells what the first one makes of arguments that it is sent. */
export class Twin {
  readonly #known = new Map<string, Json | undefined>();

  private constructor(private readonly service: Service) {}

  static async start(): Promise<Twin> {
    const service = await ownService({ strict: true, showSecrets: true });
    await seed(service);
    for (const slug of datasets) await put(service, "Dataset", slug);
    return new Twin(service);
  }

  /** The object in the arguments' spelling, secrets in plain text; nothing where such arguments are refused. */
  async madeOf(kind: Kind, slug: string, args: Json): Promise<Json | undefined> {
    const key = JSON.stringify([kind.name, slug, args]);
    if (!this.#known.has(key)) {
      const wire = await write(this.service, kind, slug, args);
      this.#known.set(key, wire && (offWire(kind.root, wire) as Json)); // an object is one in each spelling
    }
    return this.#known.get(key);
  }
}
