import { Client } from "../client/client";
import type { Settings } from "../client/settings";
import type { Kind } from "../schema/kind";
import { type MaskTest, maskTest } from "../values/secrets";
import { type JsonObject } from "../wire/json";
import { Declarations } from "./declarations";
import { type Operation } from "./operation";
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
  #madeAnew: string[] = [];
  #toldAnew = 0;

  constructor(settings: Settings, listable: Kind, note: (text: string) => void, operation: Operation) {
    this.settings = settings;
    this.listable = listable;
    this.note = note;
    this.declarations = new Declarations(settings, operation);
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
      if (this.#calls.size === 0) this.#tellMadeAnew();
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

  /** Notes an object that a read takes as the resource's although it was made anew. Told for many at a time. */
  madeAnew(text: string): void {
    this.#madeAnew.push(text);
  }

  #tellMadeAnew(): void {
    const found = this.#madeAnew.splice(0);
    if (found.length === 0) return;
    const [count, before] = [found.length, this.#toldAnew];
    this.#toldAnew += count;
    const more = count > mostTold ? `; and ${count - mostTold} more` : "";
    const all = before === 0 ? "" : `, ${this.#toldAnew} in all`;
    this.note(
      `what somebody has deleted and created anew counts as this stack's own from now on: ${count} ` +
        `object${count === 1 ? "" : "s"}${all}: ${found.slice(0, mostTold).join("; ")}${more}`,
    );
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
