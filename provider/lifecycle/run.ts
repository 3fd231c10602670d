import { createHash } from "node:crypto";
import { Client } from "../client/client";
import type { Settings } from "../client/settings";
import type { Context, Verdict } from "../protocol";
import type { Kind } from "../schema/kind";
import { type MaskTest, maskTest } from "../values/secrets";
import { type JsonObject } from "../wire/json";
import { type Claim, type Operation } from "./operation";

/** How far a resource has come, for its claim. */
export type Steps = Pick<Claim, "isWritten" | "awaitsCreate" | "classWillProve" | "classWillValidate" | "failures"> & {
  readonly recordedSlug?: string;
};

/** What one provider process knows: its settings, its client, and what it has seen and done in this run. */
export class Run {
  readonly settings: Settings;
  /** A kind with a described list: what is asked where only the service's address is in doubt. */
  readonly listable: Kind;
  /** Tells the user something, as an info line of the run. */
  readonly note: (text: string) => void;
  /** Who proves address and token in this preview, once the first `check` has decided it. */
  prover: "check" | "class" | undefined;
  /** What came of the validations so far; "in vain" if the service did not answer one. */
  validated: "nothing" | "something" | "in vain" = "nothing";
  readonly #calls = new Set<Promise<unknown>>();
  #client: Client | undefined;
  #isMask: MaskTest | undefined;
  #digest: string | undefined;
  readonly #contexts = new Map<string, Context>();
  readonly #verdicts = new Map<string, Promise<Verdict>>();
  readonly #noted = new Set<string>();
  readonly #moved = new Set<string>();

  constructor(
    settings: Settings,
    listable: Kind,
    note: (text: string) => void,
    /** What is declared in this operation, also under other providers. */
    readonly operation: Operation,
  ) {
    this.settings = settings;
    this.listable = listable;
    this.note = note;
  }

  /** Empty if there is none that can be used: then nothing is sent either. */
  get #address(): string {
    return tried(() => this.settings.baseUrl) ?? "";
  }

  get #account(): string {
    return (this.#digest ??= createHash("sha256")
      .update(JSON.stringify([this.#address, tried(() => this.settings.apiToken)]))
      .digest("hex"));
  }

  get client(): Client {
    this.#client ??= new Client(this.settings, this.note);
    return this.#client;
  }

  get isMask(): MaskTest {
    this.#isMask ??= maskTest(this.settings.secretMasks);
    return this.#isMask;
  }

  /** Does one call of the engine, which an interruption waits for. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    const work = call();
    this.#calls.add(work);
    try {
      return await work;
    } finally {
      this.#calls.delete(work);
    }
  }

  /** Starts nothing new, gives up reading, and waits for the writes under way; answers whether there was any call. */
  async interrupt(): Promise<boolean> {
    // Also if nothing was sent yet: what waits to be sent is not.
    this.client.interrupt();
    const calls = [...this.#calls];
    await Promise.allSettled(calls);
    return calls.length > 0;
  }

  /** Remembers what a class said of the object under a slug, for the create or update that follows. */
  remember(kind: Kind, slug: string, context: Context): void {
    this.#contexts.set(key(kind, slug), context);
  }

  context(kind: Kind, slug: string): Context {
    return this.#contexts.get(key(kind, slug)) ?? {};
  }

  /** An object of this run's service, in the claims of an operation. */
  objectAt(kindName: string, slug: string): string {
    return `${this.#address} ${kindName}/${slug}`;
  }

  /** Claims the object under a slug for the resource that declares it. */
  claim(kind: Kind, slug: string, claim: Steps) {
    const { instance, name, place } = this.context(kind, slug);
    const { recordedSlug, ...steps } = claim;
    const object = this.objectAt(kind.name, slug);
    this.operation.claim({
      object,
      instance: instance ?? object,
      name: name ?? slug,
      ...(place === undefined ? {} : { place }),
      account: this.#account,
      ...(recordedSlug === undefined ? {} : { recorded: this.objectAt(kind.name, recordedSlug) }),
      ...steps,
    });
  }

  claimsOf(kindName: string, slug: string): readonly Claim[] {
    return this.operation.claimsOf(this.objectAt(kindName, slug));
  }

  /** Whether a claim was made with this run's token. */
  isSameAccount({ account }: Claim): boolean {
    return account === this.#account;
  }

  /** Whether the object under a slug is there after this operation, whatever the service has now. */
  isPlanned(kindName: string, slug: string): boolean {
    return this.claimsOf(kindName, slug).some(({ isWritten }) => isWritten);
  }

  /** Asks for a verdict once per run: the engine checks a resource that it replaces twice. */
  validateOnce(subject: unknown, ask: () => Promise<Verdict>): Promise<Verdict> {
    const asked = JSON.stringify(subject);
    const verdict = this.#verdicts.get(asked) ?? this.#validate(ask);
    this.#verdicts.set(asked, verdict);
    return verdict;
  }

  async #validate(ask: () => Promise<Verdict>): Promise<Verdict> {
    const verdict = await ask();
    if (verdict.isOutage) this.validated = "in vain";
    else if (this.validated === "nothing") this.validated = "something";
    return verdict;
  }

  /** Whether an earlier address is known to be that of this run's service. */
  hasMoved(baseUrl: string): boolean {
    return this.#moved.has(baseUrl);
  }

  moved(baseUrl: string): void {
    this.#moved.add(baseUrl);
  }

  /** Says something once per run. */
  noteOnce(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.note(text);
  }
}

/** The slug under which an object is found; of a singleton, its fixed id. */
export function slugOf(kind: Kind, managed: JsonObject): string {
  return kind.isSingleton ? kind.singletonId : String(managed.slug ?? "");
}

/** `notifier "pager"`; the singleton is its own name. */
export function titleOf(kind: Kind, slug: string): string {
  return kind.isSingleton ? `the ${kind.title}` : `${kind.title} "${slug}"`;
}

const key = (kind: Kind, slug: string) => `${kind.name}/${slug}`;

function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
