import { expect } from "vitest";
import { type Json, isEquivalent } from "../property/equivalence.js";
import { type Arrival, type Fault, pass } from "../support/faults.js";
import { plain } from "../support/plain.js";
import { argumentsIn } from "./agreement.js";
import type { Clock } from "./clock.js";
import type { Command, Up, Verdicts } from "./commands.js";
import { Engine, marksOf } from "./engine.js";
import { exceptionsOf } from "./exceptions.js";
import { type Count, Inspector, isForetold, planHolds, standingKeys } from "./inspector.js";
import { Memory } from "./memory.js";
import { Outsider } from "./outside.js";
import { Processes } from "./processes.js";
import { meant, Program } from "./program.js";
import type { Result } from "./result.js";
import { isPublic } from "./secrets.js";
import type { RestartableService, Twin } from "./service.js";
import { keyOf, oldOf, type Outcome, type ProviderName, providers } from "./state.js";
import { clear, isCalm, ruleOf, type Weather } from "./weather.js";

/** Enough for two repeats, so that what fails, fails soon. */
const hasty = { requestTimeoutSecs: 0.3, retryBudgetSecs: 0.7 };
const calm = { requestTimeoutSecs: 30, retryBudgetSecs: 60 };

type Asked = Partial<Pick<Result, "adopt" | "goesOn" | "replaced">>;

/** One stack from its beginning to its end, its program, the service, and somebody else who works there too. */
export class Life {
  readonly #engine = new Engine();
  /** Whether a provider spells the service's address in the other way. */
  #addresses: Partial<Record<ProviderName, boolean>> = {};
  readonly #program = new Program();
  /** What the processes of its last operation have written for one another. */
  #left: readonly Buffer[] = [];
  readonly #memory: Memory;
  readonly #outsider: Outsider;
  readonly #inspector: Inspector;

  constructor(
    private readonly service: RestartableService,
    twin: Twin,
    private readonly count: Count,
  ) {
    this.#memory = new Memory(service);
    this.#outsider = new Outsider(service, this.#program, this.#engine, this.#memory);
    this.#inspector = new Inspector(service, twin, this.#memory, count);
  }

  async perform(command: Command): Promise<void> {
    if (this.#program.edit(command)) return;
    switch (command.does) {
      case "edit outside":
        return this.#meanwhile(command, this.#outsider.edit(command.pick, command.choice));
      case "set a newer field":
        return this.#meanwhile(command, this.#outsider.setNewer(command.pick, command.choice));
      case "delete outside":
        return this.#meanwhile(command, this.#outsider.delete(command.pick));
      case "create outside":
        return this.#meanwhile(command, this.#outsider.create(command));
      case "make anew outside":
        return this.#meanwhile(command, this.#outsider.makeAnew(command.pick, command.choice));
      case "change the address":
        return void (this.#addresses = { ...this.#addresses, [command.provider]: command.isOther });
      case "restart the service":
        return this.service.restart();
      case "preview":
        return void (await this.#preview(command.weather, command));
      case "up":
        return void (await this.#up(command));
      case "compare":
        return this.#compare(command);
      case "refresh":
        return void (await this.#refresh(command.weather));
      case "destroy":
        return void (await this.#destroy(command.weather, command.goesOn));
    }
  }

  /** Ends well, whatever was before: everything declared is there, once, and says what is declared; then nothing is. */
  async settle(): Promise<void> {
    this.#program.clearOptions();
    this.#engine.clearOptions();
    this.#forgetElsewhere(await this.#refresh(clear));
    const { outcome: refreshed } = await this.#refresh(clear);
    expect(refreshed.failures, "a refresh without faults succeeds").toEqual([]);
    const doubtful = [...this.#memory.unsure].filter((key) => !this.#isPending(key));
    expect(doubtful, "a refresh leaves no doubt").toEqual([]);
    await this.#tidyUp();

    const up = (adopt: Up["adopt"]) => this.#up({ weather: clear, adopt, goesOn: true, previewsFirst: false });
    this.#forgetElsewhere(await up(false));
    this.#forgetElsewhere(await up("identical"));
    this.#forgetElsewhere(await up(true));
    const { outcome } = await up(true);
    expect(outcome.failures, "with adopt, nothing is in the way of an up").toEqual([]);
    const declared = this.#program.resources().map(({ kind, slug }) => keyOf(kind, slug));
    expect(standingKeys(await this.service.standing()), "one object for each resource").toEqual(
      [...declared, ...this.#memory.theirs.keys()].sort(),
    );

    await this.#freeDatasets();
    const { outcome: destroyed } = await this.#destroy(clear, true);
    expect(destroyed.failures).toEqual([]);
    expect(standingKeys(await this.service.standing()), "what is others' stays").toEqual(
      [...this.#memory.theirs.keys()].sort(),
    );
  }

  /** Nobody can delete a dataset to which somebody's allocation refers. */
  async #freeDatasets(): Promise<void> {
    const datasets = this.#program.resources().filter(({ kind }) => kind.name === "Dataset");
    for (const [key, { kind, slug, wire }] of await this.service.standing()) {
      const refers = datasets.some((each) => JSON.stringify(wire).includes(`"dataset_slug":"${each.slug}"`));
      if (kind.isSingleton && refers && this.#memory.theirs.delete(key)) await this.service.delete(kind, slug);
    }
    this.#memory.forgetStanding();
  }

  /** As the message says: what another address does not have leaves the state. */
  #forgetElsewhere({ outcome }: Result): void {
    for (const { urn, slug, message } of outcome.failures) {
      if (!/belongs to the service at/.test(message)) continue;
      const declared = this.#program.resources().find((each) => each.urn === urn);
      const recorded = declared && oldOf(declared, this.#engine.state);
      for (const key of this.#engine.forget(recorded?.urn ?? urn, slug))
        if (!this.#memory.theirs.has(key)) this.#memory.told.add(key);
    }
  }

  /** A preview and the update that follows, whatever the preview says, agree whether they succeed. */
  async #compare(asked: Verdicts): Promise<void> {
    const preview = await this.#preview(clear, asked);
    const up = await this.#up({ ...asked, weather: clear, goesOn: true, previewsFirst: false });
    const [foreseen, succeeds] = [preview, up].map(({ outcome }) => outcome.failures.length === 0);
    if (foreseen === succeeds) return this.count(`verdicts: both ${succeeds ? "succeed" : "fail"}`);
    const { named, unnamed } = exceptionsOf(preview, up);
    expect(unnamed, "what a preview and an update do not agree about").toEqual([]);
    for (const each of new Set(named)) this.count(`verdicts: ${each}`);
  }

  async #up({ weather, adopt, goesOn, previewsFirst, replaced, breaksAfter = Infinity }: Up): Promise<Result> {
    const asked = { adopt, goesOn, replaced: replaced === undefined ? undefined : this.#program.urnAt(replaced) };
    const preview = previewsFirst ? await this.#preview(weather, { adopt, replaced }) : undefined;
    // The engine asks for no confirmation of what cannot be.
    if (preview !== undefined && preview.outcome.failures.length > 0) return preview;
    const result = await this.#operate("up", weather, asked, (processes, program) =>
      this.#engine.up(program, processes, { ...asked, breaksAfter }),
    );
    if (weather.sort !== "clear") return result;
    const { failures, isBrokenOff } = result.outcome;
    if (preview !== undefined) {
      expect(exceptionsOf(preview, result).unnamed, "what a preview accepts, an up accepts").toEqual([]);
      planHolds(preview, result);
      isForetold(preview, result);
    }
    if (failures.length === 0 && !isBrokenOff) {
      this.count("ups that converged");
      await this.#hasConverged();
    }
    return result;
  }

  async #meanwhile({ does }: Command, work: Promise<boolean>): Promise<void> {
    if (!(await work)) return;
    this.#memory.forgetStanding();
    this.count(`outside: ${does}`);
  }

  readonly #addressOf = (provider: ProviderName): string => {
    const { url } = this.service.proxy;
    return this.#addresses[provider] ? url.replace("127.0.0.1", "localhost") : url;
  };

  /** A user who was told of objects that nobody declares any more deletes them. */
  async #tidyUp(): Promise<void> {
    const declared = new Set(this.#program.resources().map(({ kind, slug }) => keyOf(kind, slug)));
    const standing = await this.service.standing();
    const left = [...this.#memory.told].filter((key) => !declared.has(key)).flatMap((key) => standing.get(key) ?? []);
    for (const { kind, slug } of left.sort((a, b) => Number(b.kind.isSingleton) - Number(a.kind.isSingleton))) {
      if (await this.service.delete(kind, slug)) this.#memory.told.delete(keyOf(kind, slug));
    }
    this.#memory.forgetStanding();
  }

  #isPending = (key: string) =>
    this.#engine.state.some((each) => keyOf(each.kind, each.id) === key && each.isPendingReplacement);

  async #preview(weather: Weather, { adopt, replaced }: Pick<Up, "adopt" | "replaced">): Promise<Result> {
    const picked = replaced === undefined ? undefined : this.#program.urnAt(replaced);
    const asked = { adopt, goesOn: true, replaced: picked };
    return this.#operate("preview", weather, asked, (processes, program) =>
      this.#engine.preview(program, processes, asked),
    );
  }

  async #refresh(weather: Weather): Promise<Result> {
    return this.#operate("refresh", weather, {}, (processes) => this.#engine.refresh(processes));
  }

  async #destroy(weather: Weather, goesOn: boolean): Promise<Result> {
    return this.#operate("destroy", weather, { goesOn }, (processes) => this.#engine.destroy(processes, { goesOn }));
  }

  async #operate(
    operation: Result["operation"],
    weather: Weather,
    { adopt = false, goesOn = true, replaced }: Asked,
    work: (processes: Processes, program: Result["program"]) => Promise<Outcome>,
  ): Promise<Result> {
    const { proxy } = this.service;
    const stood = await this.#memory.look();
    const recorded = this.#engine.state.map((each) => ({ ...each }));
    const others = this.#memory.othersIn(recorded, stood);
    const program = this.#program.resources();
    const settings = { ...(isCalm(weather) ? calm : hasty), adopt };
    const defaultsOf = (provider: ProviderName) => this.#program.defaultsOf(provider);
    const processes = new Processes(this.#addressOf, settings, defaultsOf, this.#left);
    let isRefused = false;
    const rule = ruleOf(weather, {
      refuse: async () => {
        isRefused = true;
        await proxy.refuse();
      },
      restart: () => this.service.restart(),
      takeSlug: (kind, slug) => this.#outsider.takeSlug(kind, slug),
      succeed: (kind, slug) => this.#outsider.succeed(kind, slug),
      deliver: (path, body) => this.service.deliver(path, body),
      fill: () => processes.fill(),
      // Of all, or of one beside the other.
      kill: () => processes.kill(providers[weather.seed % 3] ?? "all"),
    });
    proxy.reset();
    this.service.clock.tick();
    // An update may write.
    const isClear = weather.sort === "ignored dry runs" && operation !== "preview";
    proxy.use((arrival: Arrival) => dated((isClear ? undefined : rule(arrival)) ?? pass, this.service.clock));
    const outcome = await work(processes, program);
    this.#left = await processes.stop();
    if (isRefused) await proxy.accept();
    this.count(`${operation}: ${weather.sort}`);
    for (const step of outcome.steps) this.count(`step: ${step.slice(0, step.lastIndexOf(" ", step.indexOf("::")))}`);
    const requests = proxy.arrivals().length;
    if (requests > 0) this.#memory.forgetStanding();
    proxy.reset();
    const { notes, shownSecrets } = processes;
    const result: Result = {
      operation,
      weather,
      adopt,
      goesOn,
      replaced,
      outcome,
      notes,
      shownSecrets,
      requests,
      program,
      recorded,
      stood,
      others,
    };
    await this.#inspector.inspect(result, this.#engine.state);
    return result;
  }

  /** The state is what the program declares, and a preview has nothing to say, and asks only whether it is the service. */
  async #hasConverged(): Promise<void> {
    const declared = this.#program.resources();
    expect(this.#engine.state.map(({ urn }) => urn).sort()).toEqual(declared.map(({ urn }) => urn).sort());
    for (const each of declared) {
      const old = oldOf(each, this.#engine.state);
      expect(old?.provider, `${each.urn} is held by its provider`).toBe(each.provider);
      const isMeant = ([name]: [string, unknown]) => !each.options.ignoreChanges.includes(name);
      const [inputs, desired] = [argumentsIn(each.kind, plain(old?.inputs ?? {})), meant(each)].map((properties) =>
        Object.fromEntries(Object.entries(properties).filter(isMeant)),
      );
      expect(isEquivalent(each.kind.root, inputs, desired), `${each.urn} is recorded as declared`).toBe(true);
      const marked = marksOf(each).filter((name) => isPublic(each.kind.root, { [name]: plain(old?.inputs[name]) }));
      expect(old?.encrypted, `what the program marks of ${each.urn} is encrypted`).toEqual(
        expect.arrayContaining([...marked]),
      );
    }
    const { outcome, requests } = await this.#preview(clear, { adopt: false });
    expect(outcome.failures).toEqual([]);
    expect(outcome.steps, "a preview after an up changes nothing").toEqual([]);
    const used = new Set(declared.map(({ provider }) => provider)).size;
    // A log allocation that no longer exists proves nothing: then a list is asked, too.
    const standing = await this.service.standing();
    const isGone = declared.some(({ kind, slug }) => kind.isSingleton && !standing.has(keyOf(kind, slug)));
    const expected = isGone ? [used, used + 1] : [used];
    // What was recorded under another address is looked at; what an update has left so, a refresh records.
    const hasMoved = this.#engine.state.some(
      ({ provider, outputs }) => (outputs.__observability as Json).baseUrl !== this.#addressOf(provider),
    );
    if (!hasMoved) expect(expected, "a preview without changes proves each provider once").toContain(requests);
  }
}

const dated = (fault: Fault, clock: Clock): Fault => ({
  ...fault,
  reply: (given) => {
    const shown = clock.reply(given);
    return fault.reply?.(shown) ?? shown;
  },
});
