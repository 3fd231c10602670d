import { isDeepStrictEqual } from "node:util";
import type { Written } from "../client/client";
import type { Operation } from "../schema/kind";
import { ObservabilityError } from "../client/errors";
import { isWritten } from "../values/differences";
import { isSince } from "../values/sameTime";
import { differencesFrom } from "./adoption";
import { type Existence, find } from "./lookUp";
import { Target } from "./target";

/** The request that a dry run validates. */
export type DryRun = { readonly method: "POST" } | { readonly method: "PUT"; readonly createIfMissing: boolean };

/**
 * Whether a service honors `dry_run`. The service, or a gateway in front of it, may ignore it and write. So until one dry
 * run of a method has shown the contrary, the dry runs of this process go one after another, and stop if one has written.
 */
export class DryRuns {
  // By URL: a process may have several providers of one service.
  static readonly #known = new Map<string, DryRuns>();

  static of(baseUrl: string): DryRuns {
    const known = DryRuns.#known.get(baseUrl);
    // A preview after a failed one tries again.
    const dryRuns = known === undefined || known.ignored !== undefined ? new DryRuns() : known;
    DryRuns.#known.set(baseUrl, dryRuns);
    return dryRuns;
  }

  /** Why no dry run is sent any more. */
  ignored: ObservabilityError | undefined;
  /** Whether the service answers a dry run with the object, without writing it. */
  isEchoed = false;
  readonly #honored = new Set<Operation["method"]>();
  #isBusy = false;
  #waiting: { readonly isNew: boolean; readonly start: () => void }[] = [];

  /** Records that a dry run of this method has succeeded without writing. */
  honors(method: Operation["method"]): void {
    this.#honored.add(method);
  }

  /**
   * Validates with dry runs of a method; alone, until it is known that the service honors them.
   * @param isNew Whether the object is new. If one must be written, then rather a new one than an existing one.
   * @param validate Gets whether it is alone.
   * @throws {ObservabilityError} of code `dry_run_ignored`, without sending anything, after one that has written.
   */
  async inTurn<T>(
    method: Operation["method"],
    { isNew }: { readonly isNew: boolean },
    validate: (isAlone: boolean) => Promise<T>,
  ): Promise<T> {
    if (!this.#honored.has(method)) {
      await this.#turn(isNew);
      try {
        if (this.ignored !== undefined) throw this.ignored;
        if (!this.#honored.has(method)) return await validate(true);
      } finally {
        this.#next();
      }
    }
    return validate(false);
  }

  async #turn(isNew: boolean): Promise<void> {
    if (this.#isBusy) await new Promise<void>((start) => this.#waiting.push({ isNew, start }));
    this.#isBusy = true;
  }

  #next(): void {
    const next = this.#waiting.find(({ isNew }) => isNew) ?? this.#waiting[0];
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#isBusy = next !== undefined;
    next?.start();
  }
}

/**
 * Sends a dry run of a target, and makes sure that nothing was written.
 * @param before What the service had before, if that is known.
 * @throws {ObservabilityError} of code `dry_run_ignored` otherwise.
 */
export async function sendDryRun(target: Target, dryRun: DryRun, before?: Existence): Promise<void> {
  const { run, kind, slug, wire } = target;
  const since = Date.now();
  const answer =
    dryRun.method === "POST"
      ? await run.client.post(kind, wire, { dryRun: true })
      : await run.client.put(kind, slug, wire, { dryRun: true, createIfMissing: dryRun.createIfMissing });
  // A dry run's answer has no resource: an answer that has one contradicts that, so the object decides.
  const mayBeWritten = answer.object !== undefined || answer.status === 201;
  if (mayBeWritten && !run.dryRuns.isEchoed) {
    // A service may make up a slug.
    const { slug: answered = slug } = answer.object ?? {};
    const written = new Target(run, kind, target.desired, String(answered));
    if (await hasWritten(written, answer, since, before)) {
      const isNew = dryRun.method === "POST" || (dryRun.createIfMissing && before?.state !== "present");
      throw (run.dryRuns.ignored = ignoredBy(written, isNew));
    }
    run.dryRuns.isEchoed = true;
  }
  run.dryRuns.honors(dryRun.method);
}

/** Whether a dry run that may have written the object has done so. */
async function hasWritten(
  target: Target,
  { object, status, date }: Written,
  since: number,
  before: Existence | undefined,
) {
  const found = await find(target, { isDeclared: false, pages: "none" }).catch((error: unknown) => {
    if (error instanceof ObservabilityError && error.code === "not_implemented") return undefined;
    throw error;
  });
  if (found?.state === "absent") return false;
  // A service that can't show the object may have shown in its answer when it was written.
  if (found?.state !== "present") return status === 201 || isSince(object?.updated_at, date, since) === true;
  if (before?.state === "absent") return true;
  if (before?.state === "present") return !isDeepStrictEqual(before.object, found.object);
  return (
    isSince(found.object.updated_at, found.date, since) !== false && isWritten(differencesFrom(target, found.object))
  );
}

const ignoredBy = ({ title }: Target, isNew: boolean) =>
  new ObservabilityError(
    "dry_run_ignored",
    `the service, or a gateway in front of it, ignores dry_run, so a dry run has ${isNew ? "created" : "changed"} ${title}. ` +
      "No other one is sent",
    {
      hint:
        `${isNew ? "Delete" : "Restore"} the object. Fix the gateway; if the service has no dry runs, run ` +
        '"pulumi config set observability:validate never"',
    },
  );
