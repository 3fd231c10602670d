import { isDeepStrictEqual } from "node:util";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { edit } from "../property/edits.js";
import { isValid } from "../property/rules.js";
import { isZero, type Json, offWire, isEquivalent, withoutSecrets } from "../property/equivalence.js";
import { type Command, places } from "./commands.js";
import type { Engine } from "./engine.js";
import type { Memory } from "./memory.js";
import { meant, type Program } from "./program.js";
import { secretsIn } from "./secrets.js";
import type { RestartableService, Standing } from "./service.js";
import { keyOf } from "./state.js";

type CreateOutside = Extract<Command, { does: "create outside" }>;

/** Somebody else who works at the same service. */
export class Outsider {
  constructor(
    private readonly service: RestartableService,
    private readonly program: Program,
    private readonly engine: Engine,
    private readonly memory: Memory,
  ) {}

  async edit(pick: number, choice: number): Promise<boolean> {
    const chosen = await this.#pick(pick);
    if (chosen === undefined) return false;
    const { kind, slug, wire } = chosen;
    const args = offWire(kind.root, wire) as Json; // an object is one in each spelling
    const publicly = withoutSecrets(kind.root, args);
    const secrets = secretsIn(kind.root, args);
    const edited = edit(kind, args, kind.example, choice, (each) => {
      const now = secretsIn(kind.root, each);
      // A secret that the service shows is compared as any value; one that the state lacks would stand unseen.
      if (this.service.showsSecrets && now.length === secrets.length) return true;
      return isDeepStrictEqual(now, secrets) && !isEquivalent(kind.root, withoutSecrets(kind.root, each), publicly);
    });
    const written = edited && (await this.service.write(kind, slug, edited.config));
    if (written === undefined) return false;
    this.#disturbed(keyOf(kind, slug), written);
    return true;
  }

  /** Sets a field that this version's schema lacks. */
  async setNewer(pick: number, choice: number): Promise<boolean> {
    const chosen = await this.#pick(pick);
    if (chosen !== undefined) this.service.addNewer(chosen, choice);
    return chosen !== undefined;
  }

  async delete(pick: number): Promise<boolean> {
    const chosen = await this.#pick(pick);
    // A dataset in use stays.
    if (chosen === undefined || !(await this.service.delete(chosen.kind, chosen.slug))) return false;
    const key = keyOf(chosen.kind, chosen.slug);
    this.memory.theirs.delete(key);
    this.memory.told.delete(key);
    this.#disturbed(key, undefined);
    return true;
  }

  /** Deletes an object that a stack has, and creates another one under its slug, which may say the same. */
  async makeAnew(pick: number, choice: number): Promise<boolean> {
    const chosen = await this.#pick(pick);
    return chosen !== undefined && this.#recreate(chosen, choice);
  }

  /** The same, while the program's stack writes or deletes the object. */
  async succeed(kind: Kind, slug: string): Promise<void> {
    const chosen = (await this.service.standing()).get(keyOf(kind, slug));
    // A time of its own: what was created in this millisecond could be the same object.
    if (chosen !== undefined) await this.#recreate(chosen, 0);
  }

  async #recreate({ kind, slug, wire }: Standing, choice: number): Promise<boolean> {
    const key = keyOf(kind, slug);
    const args = offWire(kind.root, wire) as Json; // an object is one in each spelling
    // A service that masks secrets refuses its own masks for a new object.
    const config = withoutSecrets(kind.root, edit(kind, args, kind.example, choice)?.config ?? args) as Json;
    if (!isValid(kind, config) || !(await this.service.delete(kind, slug))) return false;
    const written = await this.service.write(kind, slug, config);
    this.memory.forgetStanding();
    this.memory.told.delete(key);
    if (written === undefined) {
      this.memory.theirs.delete(key);
      this.#disturbed(key, undefined);
    } else this.memory.theirs.set(key, JSON.stringify(written));
    return true;
  }

  /** Takes a slug while the program's stack creates it. */
  async takeSlug(kind: Kind, slug: string): Promise<void> {
    const args = { ...kind.example, name: "theirs" };
    const isFree = !(await this.service.standing()).has(keyOf(kind, slug));
    const written = isFree && isValid(kind, args) ? await this.service.write(kind, slug, args) : undefined;
    if (written !== undefined) this.memory.theirs.set(keyOf(kind, slug), JSON.stringify(written));
  }

  /** Takes a slug that the program declares, or may declare soon. */
  async create({ pick, choice, as }: Omit<CreateOutside, "does">): Promise<boolean> {
    const place = places[pick % places.length];
    if (place === undefined) return false;
    const declared = this.program.declared(place);
    const { kind, slug } = declared;
    const key = keyOf(kind, slug);
    const isRecorded = this.engine.state.some((each) => keyOf(each.kind, each.id) === key);
    if (isRecorded || declared.dependencies.length > 0 || (await this.memory.look()).has(key)) return false;
    const isDeclared = this.program.resources().some((each) => each.kind === kind && each.slug === slug);
    const args = isDeclared ? meant(declared) : { ...kind.example, ...(kind.isSingleton ? {} : { name: "theirs" }) };
    const config = {
      declared: () => args,
      "declared and more": () => withOneMore(kind, args, choice),
      another: () => edit(kind, args, kind.example, choice)?.config,
    }[as]();
    const written = config && (await this.service.write(kind, slug, config));
    if (written === undefined) return false;
    this.memory.forgetStanding();
    this.memory.theirs.set(key, JSON.stringify(written));
    return true;
  }

  async #pick(pick: number): Promise<Standing | undefined> {
    const all = [...(await this.memory.look()).values()];
    return all[pick % all.length];
  }

  #disturbed(key: string, written: Json | undefined): void {
    const { theirs, unsure } = this.memory;
    this.memory.forgetStanding();
    if (theirs.has(key) && written !== undefined) theirs.set(key, JSON.stringify(written));
    if (this.engine.state.some((each) => keyOf(each.kind, each.id) === key)) unsure.add(key);
  }
}

/** The arguments with a field that they leave out, as somebody sets one by hand. */
function withOneMore(kind: Kind, args: Json, choice: number): Json | undefined {
  const more = Object.entries(kind.example)
    .filter(([name]) => isZero(args[name]))
    .map((entry) => ({ ...args, ...Object.fromEntries([entry]) }))
    .filter((config) => isValid(kind, config));
  return more[choice % more.length];
}
