import { isDeepStrictEqual } from "node:util";
import type { Adopt } from "../../dist/provider/client/settings.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Json } from "../property/meaning.js";
import { ProcessEnded, type ProviderProcess } from "./process.js";

/** A resource as a program declares it. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  /** The slug that it is to have, whether the arguments give it or not. */
  readonly slug: string;
  readonly args: Json;
  /** The URNs of what it refers to. */
  readonly dependencies: readonly string[];
}

/** A resource as the state records it. */
export interface Recorded {
  readonly kind: Kind;
  readonly urn: string;
  readonly id: string;
  inputs: Json;
  outputs: Json;
  dependencies: readonly string[];
  /** Replaced already, and not yet deleted. */
  isOld: boolean;
}

export type Verb = "check" | "compare" | "create" | "update" | "read" | "delete";

export interface Failure {
  readonly verb: Verb;
  readonly kind: Kind;
  readonly urn: string;
  readonly slug: string;
  readonly message: string;
  /** The process ended, so that no message of the provider's could be heard. */
  readonly isSilent: boolean;
}

export interface Outcome {
  readonly failures: readonly Failure[];
  /** What was done, or in a preview would be: `create urn`. */
  readonly steps: readonly string[];
  /** The URNs that were left out, because what they refer to failed. */
  readonly skipped: ReadonlySet<string>;
}

export interface UpOptions {
  readonly adopt: Adopt;
  /** The engine's `--continue-on-error`. */
  readonly goesOn: boolean;
}

export const urnOf = (kind: Kind, name: string) => `${kind.name}::${name}`;

/**
 * What the engine does around a provider: it keeps a state, calls check, diff and the steps in its order, and records
 * what came of each. Steps run at the same time; a resource waits for those that it refers to.
 */
export class Engine {
  #state: Recorded[] = [];

  get state(): readonly Recorded[] {
    return this.#state;
  }

  /** The object that a declared resource stands for now. */
  current(urn: string): Recorded | undefined {
    return this.#state.find((each) => each.urn === urn && !each.isOld);
  }

  preview(program: readonly Declared[], process: ProviderProcess, adopt: Adopt): Promise<Outcome> {
    return this.#run(program, process, { adopt, goesOn: true, dryRun: true });
  }

  up(program: readonly Declared[], process: ProviderProcess, options: UpOptions): Promise<Outcome> {
    return this.#run(program, process, { ...options, dryRun: false });
  }

  /** Reads everything; what failed stays as it was, and the rest counts all the same. */
  async refresh(process: ProviderProcess): Promise<Outcome> {
    const report = new Report();
    await Promise.all(
      this.#state.map(async (each) => {
        await report.step("read", each, async () => {
          const found = await process.read(each.kind, each.id, each.outputs);
          if (found === undefined) this.#drop(each);
          else Object.assign(each, found);
        });
      }),
    );
    return report;
  }

  /** Deletes everything in the state, without the program. */
  async destroy(process: ProviderProcess, { goesOn }: Pick<UpOptions, "goesOn">): Promise<Outcome> {
    const report = new Report();
    await this.#delete(this.state, process, report, goesOn);
    return report;
  }

  async #run(
    program: readonly Declared[],
    process: ProviderProcess,
    { adopt, goesOn, dryRun }: UpOptions & { readonly dryRun: boolean },
  ): Promise<Outcome> {
    const report = new Report();
    const steps = new Map<string, Promise<boolean>>();
    for (const declared of program) {
      if (report.failures.length > 0 && !goesOn) break;
      const urn = urnOf(declared.kind, declared.name);
      const waited = await Promise.all(declared.dependencies.map((each) => steps.get(each) ?? false));
      if (waited.includes(false)) {
        report.skipped.add(urn);
        steps.set(urn, Promise.resolve(false));
        continue;
      }
      const context = { dryRun, name: declared.name, instance: urn, ...(adopt === false ? {} : { adopt }) };
      const step = await this.#plan(declared, { ...declared.args, __ctx: context }, process, report);
      if (step === undefined) steps.set(urn, Promise.resolve(false));
      else {
        if (step.says !== undefined) report.steps.push(`${step.says} ${urn}`);
        steps.set(urn, dryRun ? Promise.resolve(true) : step.take());
      }
    }
    await Promise.all(steps.values());
    if (report.failures.length > 0 && !goesOn) return report;
    const declared = new Set(program.map(({ kind, name }) => urnOf(kind, name)));
    const condemned = this.#state.filter((each) => each.isOld || !declared.has(each.urn));
    if (dryRun) report.steps.push(...condemned.map(({ urn }) => `delete ${urn}`));
    else await this.#delete(condemned, process, report, goesOn);
    return report;
  }

  /** Checks a declared resource and compares it with its state: what is to be done, or nothing where that failed. */
  async #plan(
    { kind, name, slug, dependencies }: Declared,
    news: Json,
    process: ProviderProcess,
    report: Report,
  ): Promise<{ says?: string; take: () => Promise<boolean> } | undefined> {
    const urn = urnOf(kind, name);
    const old = this.current(urn);
    const subject = { kind, urn, id: slug };
    const check = async (olds: Json): Promise<Json | undefined> => {
      let inputs: Json | undefined;
      await report.step("check", subject, async () => {
        const checked = await process.check(kind, olds, news);
        for (const reason of checked.failures) report.fail("check", subject, reason);
        if (checked.failures.length === 0) inputs = checked.inputs;
      });
      return inputs;
    };
    const create = (inputs: Json) => () =>
      report.step("create", subject, async () => {
        const made = await process.create(kind, inputs);
        if (old !== undefined) old.isOld = true;
        this.#state.push({ kind, urn, inputs, dependencies, isOld: false, ...made });
      });

    const inputs = await check(old?.inputs ?? {});
    if (inputs === undefined) return undefined;
    if (old === undefined) return { says: "create", take: create(inputs) };
    let difference: Json = {};
    const isCompared = await report.step("compare", old, async () => {
      difference = await process.diff(kind, old.id, old.outputs, inputs);
    });
    if (!isCompared) return undefined;
    if (difference.changes !== false && difference.replaces?.length > 0) {
      // What replaces is checked anew, as if there had been nothing.
      const anew = await check({});
      return anew && { says: "replace", take: create(anew) };
    }
    // Where the provider leaves it open, the engine compares the inputs as they are written.
    if (difference.changes === false || isDeepStrictEqual(old.inputs, inputs)) {
      const take = async () => {
        Object.assign(old, { inputs, dependencies });
        return true;
      };
      return { take };
    }
    const update = () =>
      report.step("update", old, async () => {
        const outputs = await process.update(kind, old.id, old.outputs, inputs);
        Object.assign(old, { inputs, outputs, dependencies });
      });
    return { says: "update", take: update };
  }

  /** Deletes what refers to others before those, and not those where it failed. */
  async #delete(
    condemned: readonly Recorded[],
    process: ProviderProcess,
    report: Report,
    goesOn: boolean,
  ): Promise<void> {
    const isReferring = ({ dependencies }: Recorded) => dependencies.length > 0;
    const kept = new Set<string>();
    for (const chain of [condemned.filter(isReferring), condemned.filter((each) => !isReferring(each))]) {
      if (report.failures.length > 0 && !goesOn) return;
      await Promise.all(
        chain
          .filter(({ urn }) => !kept.has(urn))
          .map(async (each) => {
            report.steps.push(`delete ${each.urn}`);
            const isDone = await report.step("delete", each, async () => {
              await process.delete(each.kind, each.id, each.outputs);
              this.#drop(each);
            });
            if (!isDone) for (const urn of each.dependencies) kept.add(urn);
          }),
      );
    }
  }

  #drop(gone: Recorded): void {
    this.#state = this.#state.filter((each) => each !== gone);
  }
}

class Report implements Outcome {
  readonly failures: Failure[] = [];
  readonly steps: string[] = [];
  readonly skipped = new Set<string>();

  fail(verb: Verb, { kind, urn, id }: Pick<Recorded, "kind" | "urn" | "id">, message: string, isSilent = false): void {
    this.failures.push({ verb, kind, urn, slug: id, message, isSilent });
  }

  /** Does one call, and answers whether it succeeded. */
  async step(verb: Verb, resource: Pick<Recorded, "kind" | "urn" | "id">, call: () => Promise<void>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.fail(verb, resource, message, error instanceof ProcessEnded);
      return false;
    }
  }
}
