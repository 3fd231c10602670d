import { AsyncResource } from "node:async_hooks";
import { hash } from "node:crypto";
import { Client } from "../client/client";
import { readSettings, type Settings } from "../client/settings";
import type { SettingTexts } from "../client/settingTexts";
import { kinds } from "../kinds/index.gen";
import { type Context, sharedNote, type Validation } from "../protocol";
import type { Kind } from "../schema/kind";
import { type MaskTest, maskTest } from "../values/secrets";
import { tried } from "../wire/json";
import type { Claim, Claims } from "./objects/claims";
import { DryRuns } from "./objects/dryRuns";
import { RecentWrites } from "./objects/recentWrites";
import { Results } from "./objects/results";
import { ValidationProgress } from "./objects/validationProgress";

/** Shows the user a line of text. */
export type Note = (text: string, severity?: "warning") => void;

/** A note as a line of plain text. */
export const lineOf = (...[text, severity]: Parameters<Note>): string =>
  severity === undefined ? text : `${severity}: ${text}`;

/** What a provider process knows and does with its settings: its client, and its knowledge of the program. A command that reads has one too. */
export class Session {
  readonly client: Client;
  /** What the class sent about the resource that declares an object, by its key, for the engine's calls after the check. */
  readonly contexts = new Map<string, Context>();
  /** The instances of the resources that the engine has compared with their state, and so knows `diff`'s answers. */
  readonly compared = new Set<string>();
  readonly progress = new ValidationProgress();
  readonly results: Results;
  readonly recentWrites = new RecentWrites();
  readonly dryRuns = new DryRuns();
  readonly #calls = new Set<Promise<unknown>>();
  #isMask: MaskTest | undefined;
  readonly #noted = new Set<string>();
  readonly #facts = new Map<string, Fact>();
  #pause: NodeJS.Timeout | undefined;

  constructor(
    readonly settings: Settings,
    readonly note: Note,
    /** The claims of this run, including those of other providers. */
    readonly claims: Claims,
  ) {
    this.client = new Client(settings, note);
    this.results = new Results(claims.folder);
  }

  /** URL and token of this process's claims; those of an empty text if a setting is missing or invalid: no request is sent then. */
  get origin(): Pick<Claim, "serviceUrl" | "token"> {
    return {
      serviceUrl: tried(() => this.settings.baseUrl) ?? "",
      token: hash("sha256", tried(() => this.settings.apiToken) ?? ""),
    };
  }

  /** Whether this run writes the object, so that the service may not have it yet. */
  isPlanned(key: string): boolean {
    const { serviceUrl } = this.origin;
    return this.claims.claimsOn(key).some((claim) => claim.step !== "unchanged" && claim.serviceUrl === serviceUrl);
  }

  get isMask(): MaskTest {
    this.#isMask ??= maskTest(this.settings.secretMasks);
    return this.#isMask;
  }

  /** Runs a call of the engine, or a validation that goes on after it. An interruption waits for its end. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    clearTimeout(this.#pause);
    const work = call();
    this.#calls.add(work);
    try {
      return await work;
    } finally {
      this.#calls.delete(work);
      // The engine checks one resource after another.
      if (this.#calls.size === 0 && this.#facts.size > 0) this.#noteFactsLater();
    }
  }

  /** Starts nothing new, ends reads and waits for running writes. Returns whether a call was running or a fact is noted. */
  async interrupt(): Promise<boolean> {
    // Even if nothing was sent yet: requests that wait for their turn are not sent.
    this.client.interrupt();
    const calls = [...this.#calls];
    await Promise.allSettled(calls);
    const hasNoted = this.#noteFacts();
    return hasNoted || calls.length > 0;
  }

  /** Notes a fact about an object, in one line with all others that share it, when no call has run for a moment. */
  noteShared(what: string, object: string, severity?: "warning"): void {
    const fact = this.#facts.get(what) ?? { objects: new Map(), reported: 0, severity };
    fact.objects.set(object, AsyncResource.bind(this.note));
    this.#facts.set(what, fact);
  }

  // Bound to the start of the session, not to the last call, whose resource it may not be about.
  readonly #noteFactsLater = AsyncResource.bind(() => {
    this.#pause = setTimeout(() => this.#noteFacts(), pauseMs).unref();
  });

  /** Returns whether there was one. */
  #noteFacts(): boolean {
    let hasNoted = false;
    for (const [what, fact] of this.#facts) {
      const [first, ...others] = [...fact.objects].slice(fact.reported);
      if (first === undefined) continue;
      const note = others.length === 0 ? first[1] : this.note;
      const objects = [first, ...others].map(([object]) => object);
      note(sharedNote(what, objects, fact.objects.size), fact.severity);
      fact.reported = fact.objects.size;
      hasNoted = true;
    }
    return hasNoted;
  }

  /** Notes something once per session. */
  noteOnce(text: string, severity?: "warning"): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.note(text, severity);
  }

  /** Notes what a validation reports in addition to failures, once per session. */
  noteValidation({ warnings, notes = [] }: Pick<Validation, "warnings" | "notes">): void {
    for (const warning of warnings) this.noteOnce(warning, "warning");
    for (const note of notes) this.noteOnce(note);
  }
}

/** The objects that share a fact, each with what notes under its resource; and how many of them were reported already. */
interface Fact {
  readonly objects: Map<string, Note>;
  readonly severity: "warning" | undefined;
  reported: number;
}

/** Longer than from one call of the engine to the next. */
const pauseMs = 100;

/** @throws if this version of the package does not support the kind. */
export function kindNamed(name: string): Kind {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) {
    throw new Error(`this version of pulumi-observability doesn't support the kind "${name}". Install a newer version`);
  }
  return kind;
}

/** Starts a session: a provider's, or one that only reads. */
export function startSession(texts: SettingTexts, note: Note, claims: Claims): Session {
  return new Session(readSettings(texts), note, claims);
}
