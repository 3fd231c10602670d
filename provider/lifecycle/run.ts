import { Client } from "../client/client";
import type { Adopt, Settings } from "../client/settings";
import type { Kind } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/codec";
import { type MaskTest, maskTest } from "./secrets";

/** What a resource class tells the provider for one run only. It never reaches state. */
export interface Context {
  /** False in an update; anything else counts as a preview. */
  readonly dryRun?: boolean;
  /** The Pulumi name of the resource. */
  readonly name?: string;
  /** Tells the two checks of one resource from those of two resources. */
  readonly instance?: string;
  readonly adopt?: Adopt;
  readonly deleteBeforeReplace?: boolean;
  /**
   * Where the class asks the service itself, once its resource is registered: the signature of its settings, and the
   * names of the arguments that it sees, with commas between. One text, because the engine carries one for each resource.
   */
  readonly validates?: string;
}

/** What the service says of a configuration before it is written. */
export interface Verdict {
  /** Why it would be refused; empty where it would not. */
  readonly failures: readonly string[];
  /** What could not be decided. */
  readonly warnings: readonly string[];
  /** Where the service did not answer the question: then it will not answer the next one either. */
  readonly isOutage?: boolean;
}

export const contextKey = "__ctx";

/** What one provider process knows: its settings, its client, and what it has seen and done in this run. */
export class Run {
  readonly settings: Settings;
  /** A kind with a described list: what is asked where only the service's address is in doubt. */
  readonly listable: Kind;
  /** Tells the user something, as an info line of the run. */
  readonly note: (text: string) => void;
  readonly #calls = new Set<Promise<unknown>>();
  #client: Client | undefined;
  #isMask: MaskTest | undefined;
  readonly #contexts = new Map<string, Context>();
  readonly #planned = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #verdicts = new Map<string, Promise<Verdict>>();
  readonly #noted = new Set<string>();

  constructor(settings: Settings, listable: Kind, note: (text: string) => void) {
    this.settings = settings;
    this.listable = listable;
    this.note = note;
  }

  get client(): Client {
    this.#client ??= new Client(this.settings);
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
    this.#client?.interrupt();
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

  /** Whether this run creates the object under a slug. */
  isPlanned(kindName: string, slug: string): boolean {
    return this.#planned.has(`${kindName}/${slug}`);
  }

  plan(kind: Kind, slug: string): void {
    this.#planned.add(key(kind, slug));
  }

  /** Whether this process has created, adopted or updated the object under a slug: then it has a new owner. */
  hasTaken(kind: Kind, slug: string): boolean {
    return this.#taken.has(key(kind, slug));
  }

  take(kind: Kind, slug: string): void {
    this.#taken.add(key(kind, slug));
  }

  /** Asks for a verdict once per run: the engine checks a resource that it replaces twice. */
  judge(subject: unknown, ask: () => Promise<Verdict>): Promise<Verdict> {
    const asked = JSON.stringify(subject);
    const verdict = this.#verdicts.get(asked) ?? ask();
    this.#verdicts.set(asked, verdict);
    return verdict;
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

export function contextOf(inputs: JsonObject): Context {
  const context = inputs[contextKey];
  return isObject(context) ? (context as Context) : {}; // written by our own resource class
}

const key = (kind: Kind, slug: string) => `${kind.name}/${slug}`;
