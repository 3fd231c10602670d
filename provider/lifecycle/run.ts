import { createHash } from "node:crypto";
import { Client } from "../client/client";
import type { Settings } from "../client/settings";
import type { Context, Verdict } from "../protocol";
import type { Kind } from "../schema/kind";
import { type MaskTest, maskTest } from "../values/secrets";
import { type JsonObject } from "../wire/json";
import { type Claim, type Operation } from "./operation";

/** The parts of a claim that depend on how far the resource's check has come. */
export type Steps = Pick<Claim, "isWritten" | "awaitsCreate" | "classWillProve" | "classWillValidate" | "failures"> & {
  readonly recordedSlug?: string;
};

/** The state of one provider process: its settings, its client, and what it has seen and done. */
export class Run {
  readonly settings: Settings;
  /** A kind whose list every service has: reading it proves the address. */
  readonly listable: Kind;
  /** Tells the user something, as an info line of the run. */
  readonly note: (text: string) => void;
  /** Who proves address and token in this preview; the first `check` decides. */
  prover: "check" | "class" | undefined;
  /** The result of all validations so far; "in vain" if one got no answer from the service. */
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
    /** The claims of this operation, including those of other providers. */
    readonly operation: Operation,
  ) {
    this.settings = settings;
    this.listable = listable;
    this.note = note;
  }

  /** Empty if `baseUrl` is missing or invalid; no request is sent then. */
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

  /** Runs one call of the engine. An interruption waits for its end. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    const work = call();
    this.#calls.add(work);
    try {
      return await work;
    } finally {
      this.#calls.delete(work);
    }
  }

  /** Starts nothing new, ends reads and waits for running writes. Returns whether any call was running. */
  async interrupt(): Promise<boolean> {
    // Also if nothing was sent yet: requests that wait for their turn are not sent.
    this.client.interrupt();
    const calls = [...this.#calls];
    await Promise.allSettled(calls);
    return calls.length > 0;
  }

  /** Keeps what the class said about an object, for the create or update that follows. */
  remember(kind: Kind, slug: string, context: Context): void {
    this.#contexts.set(key(kind, slug), context);
  }

  context(kind: Kind, slug: string): Context {
    return this.#contexts.get(key(kind, slug)) ?? {};
  }

  /** The object's id in claims: address, kind and slug. */
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

  /** Whether this operation writes the object, so that the service may not have it yet. */
  isPlanned(kindName: string, slug: string): boolean {
    return this.claimsOf(kindName, slug).some(({ isWritten }) => isWritten);
  }

  /** Validates the same subject once per run: the engine checks a replaced resource twice. */
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

  /** Whether the service is known to have moved here from an earlier address. */
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

/** The object's slug; for a singleton, its fixed id. */
export function slugOf(kind: Kind, managed: JsonObject): string {
  return kind.isSingleton ? kind.singletonId : String(managed.slug ?? "");
}

/** The object in messages: `notifier "pager"`, or for a singleton `the log allocation config`. */
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
