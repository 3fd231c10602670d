import { Client } from "../client/client";
import type { Settings } from "../client/settings";
import type { Kind } from "../schema/kind";
import { type MaskTest, maskTest } from "../values/secrets";
import { type JsonObject } from "../wire/json";
import { Declarations } from "./declarations";
import { type Claims } from "./claims";
import { Validations } from "./validations";

/** What one provider process has: its settings, its client, and what it knows of the program. */
export class Run {
  readonly settings: Settings;
  /** A kind whose list every service has: reading it proves the address. */
  readonly listable: Kind;
  /** Tells the user something, as an info line of the run. */
  readonly note: (text: string) => void;
  readonly declarations: Declarations;
  readonly validations = new Validations();
  readonly #calls = new Set<Promise<unknown>>();
  #client: Client | undefined;
  #isMask: MaskTest | undefined;
  readonly #noted = new Set<string>();
  readonly #facts = new Map<string, { readonly objects: string[]; told: number }>();

  constructor(settings: Settings, listable: Kind, note: (text: string) => void, claims: Claims) {
    this.settings = settings;
    this.listable = listable;
    this.note = note;
    this.declarations = new Declarations(settings, claims);
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
      if (this.#calls.size === 0) this.#tellFacts();
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

  /** Says the same of many objects: in one line, when no call is running. */
  noteTogether(what: string, object: string): void {
    const fact = this.#facts.get(what) ?? { objects: [], told: 0 };
    fact.objects.push(object);
    this.#facts.set(what, fact);
  }

  #tellFacts(): void {
    for (const [what, fact] of this.#facts) {
      const objects = fact.objects.splice(0);
      if (objects.length === 0) continue;
      fact.told += objects.length;
      const count = `${objects.length} object${objects.length === 1 ? "" : "s"}`;
      const all = fact.told === objects.length ? "" : `, ${fact.told} in all`;
      const more = objects.length > mostTold ? `; and ${objects.length - mostTold} more` : "";
      this.note(`${what}: ${count}${all}: ${objects.slice(0, mostTold).join("; ")}${more}`);
    }
  }

  /** Says something once per run. */
  noteOnce(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.note(text);
  }
}

/** The number of objects that one note names. */
const mostTold = 10;

/** The object's slug; for a singleton, its fixed id. */
export function slugOf(kind: Kind, managed: JsonObject): string {
  return kind.isSingleton ? kind.singletonId : String(managed.slug ?? "");
}

/** The object in messages: `notifier "pager"`, or for a singleton `the log allocation config`. */
export function titleOf(kind: Kind, slug: string): string {
  return kind.isSingleton ? `the ${kind.title}` : `${kind.title} "${slug}"`;
}
