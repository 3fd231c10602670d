import { isDeepStrictEqual } from "node:util";
import { argsWithDefaults } from "../../dist/sdk/defaults.js";
import type { Json } from "../property/equivalence.js";
import { noOptions } from "./options.js";
import type { Processes } from "./processes.js";
import { type Declared, keyOf, oldOf, type Outcome, type Recorded, Report, signatureOf } from "./state.js";

export interface UpOptions {
  /** The engine's `--continue-on-error`. */
  readonly goesOn: boolean;
  /** The engine's `--replace`. */
  readonly replaced?: string | undefined;
  /** The run is broken off after so many steps: by the user, or by a resource that fails. */
  readonly breaksAfter?: number;
}

type Step = { readonly says?: string; readonly take: () => Promise<boolean> };

/**
 * What the engine does around its providers (pulumi/pkg/resource/deploy: step_generator.go, step.go,
 * deployment_executor.go): it keeps a state, calls check, diff and the steps in its order, each in the process of the
 * right provider, and records what came of each. Steps run at the same time; a resource waits for those that it refers
 * to. Left out: that what refers to a resource is replaced with it, because no argument that refers is ever in
 * `replaceOnChanges` here.
 */
export class Engine {
  #state: Recorded[] = [];
  #serial = 0;

  get state(): readonly Recorded[] {
    return this.#state;
  }

  preview(program: readonly Declared[], processes: Processes, options: Omit<UpOptions, "breaksAfter">) {
    return this.#run(program, processes, options, true);
  }

  up(program: readonly Declared[], processes: Processes, options: UpOptions): Promise<Outcome> {
    return this.#run(program, processes, options, false);
  }

  /** Reads everything; what failed stays as it was, and the rest counts all the same. */
  async refresh(processes: Processes): Promise<Outcome> {
    const report = new Report({ goesOn: true, dryRun: false, breaksAfter: Infinity });
    const standing = this.#state.filter(({ isPendingReplacement }) => !isPendingReplacement);
    await Promise.all(
      standing.map(async (each) => {
        await report.step("read", each, async () => {
          const found = await processes.of(each.provider).read(each);
          if (found === undefined) this.#drop(each);
          else Object.assign(each, found);
        });
      }),
    );
    return report;
  }

  /** Deletes everything in the state, without the program. */
  async destroy(processes: Processes, { goesOn, breaksAfter = Infinity }: UpOptions): Promise<Outcome> {
    const report = new Report({ goesOn, dryRun: false, breaksAfter });
    await this.#deleteAll(this.state, processes, report);
    return report;
  }

  async #run(
    program: readonly Declared[],
    processes: Processes,
    { goesOn, replaced, breaksAfter = Infinity }: UpOptions,
    dryRun: boolean,
  ): Promise<Outcome> {
    const report = new Report({ goesOn, dryRun, breaksAfter });
    const steps = new Map<string, Promise<boolean>>();
    const seen = new Set<string>();
    for (const declared of program) {
      const { urn } = declared;
      const waited = await Promise.all(declared.dependencies.map((each) => steps.get(each) ?? false));
      if (report.isBrokenOff) break;
      const old = oldOf(declared, this.#state);
      seen.add(urn).add(old?.urn ?? urn);
      const isSkipped = waited.includes(false);
      // What is skipped was checked all the same.
      const step = await this.#plan(declared, old, { processes, report, dryRun, isPicked: replaced === urn });
      if (isSkipped) report.skipped.add(urn);
      else if (step?.says !== undefined && !report.isBrokenOff) report.steps.push(`${step.says} ${urn}`);
      const begin = () => (dryRun ? Promise.resolve(true) : step?.take());
      steps.set(urn, (isSkipped ? undefined : step && begin()) ?? Promise.resolve(false));
    }
    await Promise.all(steps.values());
    if (report.isBrokenOff) return report;
    const condemned = this.#state.filter((each) => each.isOld || !seen.has(each.urn));
    if (dryRun) {
      for (const each of condemned.filter(isKept)) report.fail("delete", each, isProtected);
      report.steps.push(...condemned.map(({ urn }) => `delete ${urn}`));
    } else await this.#deleteAll(condemned, processes, report);
    return report;
  }

  /** Checks a declared resource and compares it with its state: what is to be done, or nothing if that failed. */
  async #plan(
    declared: Declared,
    old: Recorded | undefined,
    { processes, report, dryRun, isPicked }: PlanOptions,
  ): Promise<Step | undefined> {
    const { kind, urn, slug, options, provider } = declared;
    const process = processes.of(provider);
    const news = { ...sentBy(declared), __ctx: contextOf(declared, dryRun) };
    const check = async (olds: Json, asked: Json): Promise<Json | undefined> => {
      let inputs: Json | undefined;
      await report.step("check", { kind, urn, id: slug }, async () => {
        const checked = await process.check(kind, olds, asked);
        for (const reason of checked.failures) report.fail("check", { kind, urn, id: slug }, reason);
        if (checked.failures.length === 0) inputs = checked.inputs;
      });
      if (inputs !== undefined) report.checked.set(urn, [...(report.checked.get(urn) ?? []), inputs]);
      return inputs;
    };

    const olds = isPicked ? undefined : old?.inputs;
    const inputs = await check(olds ?? {}, olds === undefined ? news : ignoring(options.ignoreChanges, olds, news));
    if (inputs === undefined) return undefined;
    if (old === undefined) return { says: "create", take: () => this.#create(declared, inputs, processes, report) };

    let difference: Difference = { changes: true, replaces: ["id"], deleteBeforeReplace: false };
    if (!isPicked) {
      const isCompared = await report.step("compare", { kind, urn, id: old.id }, async () => {
        difference = (await process.diff(kind, old.id, old.outputs, inputs)) as Difference; // as the resource provider answers
      });
      if (!isCompared) return undefined;
    }
    const ignored = ignoring(options.ignoreChanges, old.inputs, inputs);
    // If the provider leaves it open, the engine compares the inputs as they are written, and with their marks.
    const changed = difference.changes === undefined ? changedKeys(old.inputs, ignored) : [];
    const isChanged = difference.changes ?? changed.length > 0;
    const isReplaced =
      isChanged && (difference.replaces.length > 0 || changed.some((key) => options.replaceOnChanges.includes(key)));
    if (isReplaced || old.isPendingReplacement) {
      if (options.protect && old.options.protect) {
        report.fail("engine", old, isProtected);
        if (!dryRun) return undefined;
      }
      // What replaces is checked again, as if there had been nothing.
      const anew = isPicked ? inputs : await check({}, news);
      const deletesFirst = options.deleteBeforeReplace ?? difference.deleteBeforeReplace;
      return (
        anew && {
          says: deletesFirst ? "replace, delete first," : "replace, create first,",
          take: () => this.#replace(declared, old, anew, deletesFirst, processes, report),
        }
      );
    }
    const recorded = { urn, inputs, provider, options, dependencies: declared.dependencies };
    if (!isChanged) {
      const take = async () => {
        Object.assign(old, recorded);
        return true;
      };
      return { take };
    }
    const update = () =>
      report.step("update", { kind, urn, id: old.id }, async () => {
        const outputs = await process.update(kind, old.id, old.outputs, inputs);
        Object.assign(old, { ...recorded, outputs, encrypted: marksOf(declared) });
      });
    return { says: "update", take: update };
  }

  #create(declared: Declared, inputs: Json, processes: Processes, report: Report, created = () => {}) {
    const { kind, urn, slug, provider, options, dependencies } = declared;
    return report.step("create", { kind, urn, id: slug }, async () => {
      const made = await processes.of(provider).create(kind, inputs);
      created();
      const serial = (this.#serial += 1);
      const flags = { isOld: false, isPendingReplacement: false };
      const encrypted = marksOf(declared);
      this.#state.push({ kind, serial, urn, provider, options, inputs, encrypted, dependencies, ...flags, ...made });
    });
  }

  /** The old one is deleted first, or marked, so that it is deleted once everything else is done. */
  async #replace(
    declared: Declared,
    old: Recorded,
    inputs: Json,
    deletesFirst: boolean,
    processes: Processes,
    report: Report,
  ): Promise<boolean> {
    if (!deletesFirst) return this.#create(declared, inputs, processes, report, () => (old.isOld = true));
    if (!old.isPendingReplacement) {
      const isDeleted = await report.step("delete", old, () => this.#delete(old, processes));
      if (!isDeleted) return false;
      old.isPendingReplacement = true;
    }
    return this.#create(declared, inputs, processes, report, () => this.#drop(old));
  }

  /** Deletes what refers to others before those, and not those if it failed. */
  async #deleteAll(condemned: readonly Recorded[], processes: Processes, report: Report): Promise<void> {
    const failed = new Set(report.failures.map(({ urn }) => urn));
    const kept = new Set(this.#state.filter(({ urn }) => failed.has(urn)).flatMap(({ dependencies }) => dependencies));
    let left = condemned;
    while (left.length > 0) {
      const referredTo = new Set(left.flatMap(({ dependencies }) => dependencies));
      const chain = left.filter(({ urn }) => !referredTo.has(urn));
      left = left.filter(({ urn }) => referredTo.has(urn));
      await Promise.all(
        chain.map(async (each) => {
          if (report.isBrokenOff) return;
          const isDone = !kept.has(each.urn) && (await this.#deleteLast(each, processes, report));
          if (!isDone) for (const urn of each.dependencies) kept.add(urn);
        }),
      );
    }
  }

  #deleteLast(condemned: Recorded, processes: Processes, report: Report): Promise<boolean> {
    const { urn, isOld, isPendingReplacement } = condemned;
    report.steps.push(`delete ${urn}`);
    return report.step("delete", condemned, async () => {
      if (isKept(condemned)) throw new Error(isProtected);
      // What was deleted for a replacement that nobody wants any more only leaves the state.
      if (!isPendingReplacement || isOld) await this.#delete(condemned, processes);
      this.#drop(condemned);
    });
  }

  async #delete({ kind, id, provider, options, outputs }: Recorded, processes: Processes): Promise<void> {
    if (!options.retainOnDelete) await processes.of(provider).delete(kind, id, outputs);
  }

  /** `pulumi state unprotect`, and no other option is left. */
  clearOptions(): void {
    // What was retained for a replacement that failed then is still there.
    for (const each of this.#state)
      each.options = each.isPendingReplacement ? { ...each.options, protect: false } : noOptions;
  }

  /** `pulumi state delete`, of what a replacement has left if there is such; answers with the keys of what state has held. */
  forget(urn: string, slug: string): string[] {
    const entries = this.#state.filter((each) => each.urn === urn);
    const named = entries.filter(({ id }) => id === slug);
    const held = named.length > 0 ? named : entries;
    const left = held.filter(({ isOld }) => isOld);
    const gone = left.length > 0 ? left : held;
    gone.forEach((each) => this.#drop(each));
    return gone.map(({ kind, id }) => keyOf(kind, id));
  }

  #drop(gone: Recorded): void {
    this.#state = this.#state.filter((each) => each !== gone);
  }
}

/** The engine's own refusal. */
export const isProtected = "it is protected";

const isKept = ({ options, isOld }: Recorded) => options.protect && !isOld;

interface PlanOptions {
  readonly processes: Processes;
  readonly report: Report;
  readonly dryRun: boolean;
  /** Whether its replacement was asked for. */
  readonly isPicked: boolean;
}

/** What diff answers with. */
interface Difference {
  readonly changes?: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The arguments as the resource class sends them. */
function sentBy({ args, defaults }: Declared): Json {
  const names = Object.fromEntries(Object.keys(defaults).map((name) => [name, name]));
  return argsWithDefaults("", args, names, { texts: {}, entries: defaults, defaultsDigest: undefined });
}

/** The arguments that a program gives and marks as secret. */
export function marksOf(declared: Declared): readonly string[] {
  const sent = sentBy(declared);
  return declared.options.marks.filter((name) => sent[name] !== undefined);
}

/** What the resource class tells; of a transform it knows nothing. */
function contextOf(declared: Declared, dryRun: boolean): Json {
  const { name, urn, aliases, options, defaults } = declared;
  const { adopt, deleteBeforeReplace, ignoreChanges, isTransformed, retainOnDelete } = options;
  return {
    dryRun,
    name,
    instance: urn,
    qualifiedName: urn,
    ...(aliases.length === 0 ? {} : { formerNames: aliases }),
    secrets: marksOf(declared).map((each) => [each]),
    ...(Object.keys(defaults).length === 0 ? {} : { defaultsDigest: signatureOf(defaults) }),
    ...(adopt === undefined ? {} : { adopt }),
    ...(ignoreChanges.length === 0 ? {} : { ignoreChanges }),
    ...(retainOnDelete ? { retainOnDelete } : {}),
    ...(deleteBeforeReplace === undefined || isTransformed ? {} : { deleteBeforeReplace }),
  };
}

/** The arguments with the old value of every one whose changes are ignored, or without it. */
function ignoring(ignoreChanges: readonly string[], olds: Json, news: Json): Json {
  const kept = Object.entries(news).filter(([key]) => !ignoreChanges.includes(key));
  return Object.fromEntries([...kept, ...Object.entries(olds).filter(([key]) => ignoreChanges.includes(key))]);
}

const changedKeys = (a: Json, b: Json) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !isDeepStrictEqual(a[key], b[key]));
