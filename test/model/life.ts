import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Adopt } from "../../dist/provider/client/settings.js";
import { edit, knownDatasets } from "../property/arbitraries.js";
import { isZero, type Json, offWire, sameMeaning, withoutSecrets } from "../property/meaning.js";
import { argumentsIn, disagreement, saysAll, type Seen, seenOf } from "./agreement.js";
import { type Command, places } from "./commands.js";
import { type Declared, Engine, type Failure, type Outcome, type Recorded, urnOf } from "./engine.js";
import { type Limits, ProviderProcess } from "./process.js";
import { meant, Program } from "./program.js";
import { keyOf, type RestartableService, type Standing, type Twin } from "./service.js";
import { clear, ruleOf, type Weather } from "./weather.js";
import { type Arrival, type Fault, pass } from "../support/faults.js";

/** Enough for two repeats, so that what fails, fails soon. */
const hasty: Limits = { requestTimeoutSecs: 0.3, retryBudgetSecs: 0.7 };
const calm: Limits = { requestTimeoutSecs: 30, retryBudgetSecs: 60 };

/** Counts one thing that was done. */
export type Count = (what: string, more?: number) => void;

type Operation = "preview" | "up" | "refresh" | "destroy";

interface Result {
  readonly operation: Operation;
  readonly weather: Weather;
  readonly adopt: Adopt;
  readonly goesOn: boolean;
  readonly outcome: Outcome;
  readonly notes: readonly string[];
  readonly requests: number;
  /** What the state and the service held before. */
  readonly recorded: readonly Recorded[];
  readonly stood: ReadonlyMap<string, Standing>;
}

/** One stack from its beginning to its end, its program, the service, and somebody else who works there too. */
export class Life {
  readonly #engine = new Engine();
  readonly #program = new Program();
  /** Objects of somebody else's, as they are to stay: to the byte. */
  readonly #theirs = new Map<string, string>();
  /** Objects that are ours and not in state, of which the user was told, or could not be. */
  readonly #told = new Set<string>();
  /** In state, and changed by somebody else or by a write whose outcome is in doubt, since state last heard of it. */
  readonly #unsure = new Set<string>();
  /** As above, but a read does not tell: secrets are no drift. */
  readonly #secretsUnsure = new Set<string>();
  /** Taken over as identical: there may be more to them than was declared. */
  readonly #looselyHeld = new Set<string>();

  /** What stands at the service, as long as nothing was asked of it since. */
  #standing: ReadonlyMap<string, Standing> | undefined;

  constructor(
    private readonly service: RestartableService,
    private readonly twin: Twin,
    private readonly count: Count,
  ) {}

  async perform(command: Command): Promise<void> {
    switch (command.does) {
      case "declare": {
        const place = places[command.place];
        if (place !== undefined) this.#program.declare(place, command.config);
        return;
      }
      case "change":
        return this.#program.change(command.pick, command.choice);
      case "change the slug":
        return this.#program.changeSlug(command.pick, command.choice);
      case "drop":
        return this.#program.drop(command.pick);
      case "edit outside":
        return this.#editOutside(command.pick, command.choice);
      case "delete outside":
        return this.#deleteOutside(command.pick);
      case "create outside":
        return this.#createOutside(command.pick, command.choice, command.isIdentical);
      case "restart the service":
        return this.service.restart();
      case "preview":
        return void (await this.#preview(command.weather, false));
      case "up":
        return void (await this.#up(command));
      case "refresh":
        return void (await this.#refresh(command.weather));
      case "destroy":
        return void (await this.#destroy(command.weather, command.goesOn));
    }
  }

  /** Ends well, whatever was before: everything declared is there, once, and says what is declared; then nothing is. */
  async settle(): Promise<void> {
    const { outcome: refreshed } = await this.#refresh(clear);
    expect(refreshed.failures, "a refresh without faults succeeds").toEqual([]);
    expect([...this.#unsure], "a refresh leaves no doubt").toEqual([]);
    await this.#tidyUp();

    const up = (adopt: Adopt) => this.#up({ weather: clear, adopt, goesOn: true, previewsFirst: false });
    await up(false);
    await up("identical");
    const { outcome } = await up(true);
    expect(outcome.failures, "with adopt, nothing is in the way of an up").toEqual([]);
    const standing = await this.service.standing();
    const declared = this.#program.resources().map(({ kind, slug }) => keyOf(kind, slug));
    expect([...standing.keys()].sort(), "one object for each resource").toEqual(
      [...declared, ...this.#theirs.keys()].sort(),
    );

    const { outcome: destroyed } = await this.#destroy(clear, true);
    expect(destroyed.failures).toEqual([]);
    expect([...(await this.service.standing()).keys()].sort(), "what is others' stays").toEqual(
      [...this.#theirs.keys()].sort(),
    );
  }

  /** A user who was told of objects that nobody declares any more deletes them. */
  async #tidyUp(): Promise<void> {
    const declared = new Set(this.#program.resources().map(({ kind, slug }) => keyOf(kind, slug)));
    const standing = await this.service.standing();
    const left = [...this.#told].filter((key) => !declared.has(key)).flatMap((key) => standing.get(key) ?? []);
    for (const { kind, slug } of left.sort((a, b) => Number(b.kind.isSingleton) - Number(a.kind.isSingleton))) {
      if (await this.service.delete(kind, slug)) this.#told.delete(keyOf(kind, slug));
    }
    this.#standing = undefined;
  }

  // ---- Somebody else ------------------------------------------------------------------------------------------------

  async #editOutside(pick: number, choice: number): Promise<void> {
    const chosen = await this.#pick(pick);
    if (chosen === undefined) return;
    const { kind, slug, wire } = chosen;
    const args = offWire(kind.root, wire) as Json; // an object is one in each spelling
    const publicly = withoutSecrets(kind.root, args);
    const secrets = secretsIn(chosen.kind.root, args);
    const edited = edit(kind, args, kind.example.args, choice, (each) => {
      // An edit of a secret is no drift, so that it would stand unseen.
      const isSame = isDeepStrictEqual(secretsIn(kind.root, each), secrets);
      return isSame && !sameMeaning(kind.root, withoutSecrets(kind.root, each), publicly);
    });
    const written = edited && (await this.service.write(kind, slug, edited.config));
    if (written === undefined) return;
    this.#standing = undefined;
    this.count("outside edits");
    this.#disturbed(keyOf(kind, slug), written);
  }

  async #deleteOutside(pick: number): Promise<void> {
    const chosen = await this.#pick(pick);
    // A dataset in use stays.
    if (chosen === undefined || !(await this.service.delete(chosen.kind, chosen.slug))) return;
    this.count("outside deletes");
    this.#standing = undefined;
    const key = keyOf(chosen.kind, chosen.slug);
    this.#theirs.delete(key);
    this.#told.delete(key);
    this.#disturbed(key, undefined);
  }

  /** Takes a slug that the program declares, or may declare soon. */
  async #createOutside(pick: number, choice: number, isIdentical: boolean): Promise<void> {
    const place = places[pick % places.length];
    if (place === undefined) return;
    const declared = this.#program.declared(place);
    const { kind, slug } = declared;
    const key = keyOf(kind, slug);
    const isRecorded = this.#engine.state.some((each) => keyOf(each.kind, each.id) === key);
    if (isRecorded || declared.dependencies.length > 0 || (await this.#look()).has(key)) return;
    const isDeclared = this.#program.resources().some((each) => each.kind === kind && each.slug === slug);
    const args = isDeclared
      ? meant(declared)
      : { ...kind.example.args, ...(kind.isSingleton ? {} : { name: "theirs" }) };
    const edited = isIdentical ? { config: args } : edit(kind, args, kind.example.args, choice);
    const written = edited && (await this.service.write(kind, slug, edited.config));
    if (written === undefined) return;
    this.#standing = undefined;
    this.count("outside creates");
    this.#theirs.set(key, JSON.stringify(written));
  }

  async #pick(pick: number): Promise<Standing | undefined> {
    const all = [...(await this.#look()).values()];
    return all[pick % all.length];
  }

  async #look(): Promise<ReadonlyMap<string, Standing>> {
    this.#standing ??= await this.service.standing();
    return this.#standing;
  }

  #disturbed(key: string, written: Json | undefined): void {
    if (this.#theirs.has(key) && written !== undefined) this.#theirs.set(key, JSON.stringify(written));
    if (this.#engine.state.some((each) => keyOf(each.kind, each.id) === key)) this.#unsure.add(key);
  }

  // ---- Operations ---------------------------------------------------------------------------------------------------

  async #preview(weather: Weather, adopt: Adopt): Promise<Result> {
    return this.#operate("preview", weather, { adopt, goesOn: true }, (process) =>
      this.#engine.preview(this.#program.resources(), process, adopt),
    );
  }

  async #up({
    weather,
    adopt,
    goesOn,
    previewsFirst,
  }: Omit<Extract<Command, { does: "up" }>, "does">): Promise<Result> {
    if (previewsFirst) {
      const preview = await this.#preview(weather, adopt);
      // The engine asks for no confirmation of what cannot be.
      if (preview.outcome.failures.length > 0) return preview;
    }
    const result = await this.#operate("up", weather, { adopt, goesOn }, (process) =>
      this.#engine.up(this.#program.resources(), process, { adopt, goesOn }),
    );
    if (weather.sort !== "clear") return result;
    const { failures } = result.outcome;
    const foreseeable = failures.filter(isForeseeable);
    if (previewsFirst) expect(foreseeable, "what a preview accepts, an up accepts").toEqual([]);
    if (failures.length === 0) {
      this.count("ups that converged");
      await this.#hasConverged();
    }
    return result;
  }

  async #refresh(weather: Weather): Promise<Result> {
    return this.#operate("refresh", weather, {}, (process) => this.#engine.refresh(process));
  }

  async #destroy(weather: Weather, goesOn: boolean): Promise<Result> {
    return this.#operate("destroy", weather, { goesOn }, (process) => this.#engine.destroy(process, { goesOn }));
  }

  async #operate(
    operation: Operation,
    weather: Weather,
    { adopt = false, goesOn = true }: { readonly adopt?: Adopt; readonly goesOn?: boolean },
    work: (process: ProviderProcess) => Promise<Outcome>,
  ): Promise<Result> {
    const { proxy } = this.service;
    const stood = await this.#look();
    const recorded = this.#engine.state.map((each) => ({ ...each }));
    const process = new ProviderProcess(proxy.url, weather.sort === "clear" ? calm : hasty);
    let isRefused = false;
    const rule = ruleOf(weather, {
      refuse: async () => {
        isRefused = true;
        await proxy.refuse();
      },
      restart: () => this.service.restart(),
      kill: () => process.kill(),
    });
    proxy.reset();
    const start = Date.now();
    proxy.use((arrival: Arrival) => aged(rule(arrival) ?? pass, start));
    const outcome = await work(process);
    await process.stop();
    if (isRefused) await proxy.accept();
    this.count(`${operation}: ${weather.sort}`);
    for (const [fault, times] of Object.entries(proxy.done()))
      if (fault !== "pass") this.count(`fault: ${fault}`, times);
    const requests = proxy.arrivals().length;
    if (requests > 0) this.#standing = undefined;
    proxy.reset();
    const result = { operation, weather, adopt, goesOn, outcome, notes: process.notes, requests, recorded, stood };
    await this.#inspect(result);
    return result;
  }

  // ---- What holds after each operation ------------------------------------------------------------------------------

  async #inspect(result: Result): Promise<void> {
    const standing = await this.#look();
    for (const failure of result.outcome.failures) this.#hasWords(failure, result);
    if (result.weather.sort === "clear") this.#isExplained(result, standing);
    this.#takesNothingUnasked(result, standing);
    this.#remember(result);
    this.#losesNothing(result, standing);
    this.#tellsOfOrphans(result, standing);
    await this.#agrees(standing);
  }

  /** Every failure names its resource and a cause. */
  #hasWords({ verb, kind, slug, message, isSilent }: Failure, { weather }: Result): void {
    this.count("failures told");
    if (isSilent) return void expect(weather.sort).toBe("death");
    const title = titleOf(kind, slug);
    const beginning = `unable to ${verb === "check" ? "validate" : verb} ${title}: `;
    // What the service found wrong begins with its place; the engine shows it under its resource.
    const isPlaced = verb === "check" && /^[a-z]\w*[\w.[\]"]*: ./.test(message);
    if (!isPlaced) expect(message.startsWith(beginning), `${message} begins with ${beginning}`).toBe(true);
    expect(message).toMatch(causes);
  }

  /** Without faults nothing fails but what must. */
  #isExplained(
    { operation, outcome, adopt, goesOn, stood, recorded }: Result,
    standing: ReadonlyMap<string, Standing>,
  ) {
    const declared = this.#program.resources();
    const inTheWay = declared.filter((each) => isInTheWay(each, stood, recorded));
    const failing = (zeros: "wanted" | "left out") =>
      inTheWay
        .filter((each) => adopt === false || (adopt === "identical" && !this.#says(each, stood, zeros)))
        .map(({ kind, name }) => urnOf(kind, name));
    // A zero at the top of the arguments counts as left out, one further down as wanted: the model asks for neither.
    const [mayFail, mustFail] = [new Set(failing("wanted")), failing("left out")];
    for (const { verb, kind, urn, slug, message } of outcome.failures) {
      if ((verb === "check" || verb === "create") && mayFail.has(urn)) {
        expect(message, "it names the way out").toMatch(/it exists already.*adopt/);
        continue;
      }
      const refersToGone = kind.isSingleton && declared.some((each) => refersToUnmade(each, stood));
      if (refersToGone && /there is no dataset/.test(message)) continue;
      const allocation = [...standing.values()].find((each) => each.kind.isSingleton);
      const isUsed = JSON.stringify(allocation?.wire ?? {}).includes(`"dataset_slug":"${slug}"`);
      if (verb === "delete" && kind.name === "Dataset" && isUsed && /is in use by/.test(message)) continue;
      throw new Error(`nothing explains why ${operation} fails: ${message}`);
    }
    if (!goesOn || operation === "refresh" || operation === "destroy") return;
    const failed = new Set(outcome.failures.map(({ urn }) => urn));
    const silent = mustFail.filter((urn) => !failed.has(urn) && !outcome.skipped.has(urn));
    expect(silent, `${operation} with adopt ${adopt} tells what is in the way`).toEqual([]);
  }

  /** Whether what stands under the slug says what would be written. */
  #says(declared: Declared, stood: ReadonlyMap<string, Standing>, zeros: Parameters<typeof saysAll>[3]): boolean {
    const { kind, slug } = declared;
    const wire = stood.get(keyOf(kind, slug))?.wire;
    const see = (value: unknown) => seenOf(kind.root, value, this.#seen);
    return wire !== undefined && saysAll(kind.root, see(meant(declared)), see(offWire(kind.root, wire)), zeros);
  }

  get #seen(): Seen {
    return this.service.showsSecrets ? "all" : "all but masked values";
  }

  /** What was there before belongs to whoever made it, until the program says adopt. */
  #takesNothingUnasked({ operation, adopt, stood, recorded }: Result, standing: ReadonlyMap<string, Standing>): void {
    const before = new Set(recorded.map(({ kind, id }) => keyOf(kind, id)));
    const declared = new Map(this.#program.resources().map((each) => [keyOf(each.kind, each.slug), each] as const));
    for (const [key, theirs] of this.#theirs) {
      const isMeant = operation === "up" && declared.has(key);
      if (!(isMeant && adopt === true)) {
        expect(JSON.stringify(standing.get(key)?.wire), `${key} of somebody else's stays as it was`).toBe(theirs);
      } else if (JSON.stringify(standing.get(key)?.wire) !== theirs) {
        // Asked to be taken over, and updated: a failure after that must not make it somebody else's again.
        this.#theirs.delete(key);
        this.#told.add(key);
      }
    }
    for (const { kind, id } of this.#engine.state) {
      const key = keyOf(kind, id);
      if (before.has(key) || !stood.has(key)) continue;
      expect(adopt, `${key} stood there already, and is taken over only where the program says so`).not.toBe(false);
      const asDeclared = declared.get(key);
      if (adopt === "identical") {
        expect(asDeclared && this.#says(asDeclared, stood, "left out"), `${key} says what is declared`).toBe(true);
        expect(standing.get(key)?.wire, `${key} is taken as it is`).toEqual(stood.get(key)?.wire);
        this.#looselyHeld.add(key);
        this.#secretsUnsure.add(key);
      }
      this.count(`taken over, adopt ${adopt}`);
      this.#theirs.delete(key);
    }
  }

  /** Notes what state knows of each object now. */
  #remember({ operation, outcome, recorded }: Result): void {
    const failed = new Set(outcome.failures.map(({ verb, urn }) => `${verb} ${urn}`));
    for (const { verb, kind, slug } of outcome.failures) {
      if (verb !== "update" && verb !== "delete") continue;
      this.#unsure.add(keyOf(kind, slug));
      this.#secretsUnsure.add(keyOf(kind, slug));
    }
    const knew = new Set(recorded.map(({ urn, id }) => `${urn} ${id}`));
    for (const { kind, urn, id, isOld } of this.#engine.state) {
      const key = keyOf(kind, id);
      const isRead = operation === "refresh" && !failed.has(`read ${urn}`);
      const isCreated = !knew.has(`${urn} ${id}`);
      const isUpdated =
        operation === "up" && !isOld && outcome.steps.includes(`update ${urn}`) && !failed.has(`update ${urn}`);
      if (isRead || isCreated || isUpdated) this.#unsure.delete(key);
      if ((isCreated && !this.#looselyHeld.has(key)) || isUpdated) this.#secretsUnsure.delete(key);
      if (isUpdated) this.#looselyHeld.delete(key);
    }
    const held = new Set(this.#engine.state.map(({ kind, id }) => keyOf(kind, id)));
    for (const set of [this.#unsure, this.#secretsUnsure, this.#looselyHeld]) {
      for (const key of set) if (!held.has(key)) set.delete(key);
    }
  }

  /** What leaves the state is gone, or stays where the user was told. */
  #losesNothing({ operation, notes, recorded }: Result, standing: ReadonlyMap<string, Standing>): void {
    const held = new Set(this.#engine.state.map(({ kind, id }) => keyOf(kind, id)));
    for (const { kind, id } of recorded) {
      const key = keyOf(kind, id);
      if (held.has(key) || !standing.has(key)) continue;
      const isLeft = notes.some((note) => note.startsWith(`${titleOf(kind, id)} is left in place`));
      expect(isLeft, `${operation} took ${key} out of the state, and it is still there`).toBe(true);
      this.#told.add(key);
    }
  }

  /** No object of ours is outside of the state without a word. */
  #tellsOfOrphans({ outcome }: Result, standing: ReadonlyMap<string, Standing>): void {
    const held = new Set(this.#engine.state.map(({ kind, id }) => keyOf(kind, id)));
    for (const key of this.#told) if (held.has(key) || !standing.has(key)) this.#told.delete(key);
    for (const [key] of standing) {
      if (held.has(key) || this.#theirs.has(key) || this.#told.has(key)) continue;
      const about = outcome.failures.filter((each) => each.verb === "create" && keyOf(each.kind, each.slug) === key);
      const isTold = about.some(
        ({ message, isSilent }) => isSilent || /(may exist|exists already).*adopt/s.test(message),
      );
      const words = about.map(({ message }) => message).join("; ") || "nothing";
      expect(isTold, `${key} was made, is not in state, and this was said of it: ${words}`).toBe(true);
      this.count("objects left by a failed create, told");
      this.#told.add(key);
    }
  }

  /** Everything in state is there and says what state says, as far as nobody came between. */
  async #agrees(standing: ReadonlyMap<string, Standing>): Promise<void> {
    for (const recorded of this.#engine.state) {
      const { kind, id, isOld } = recorded;
      const key = keyOf(kind, id);
      if (this.#unsure.has(key)) continue;
      const there = standing.get(key);
      if (there === undefined) throw new Error(`${key} is in state, and not at the service`);
      if (isOld) continue;
      const seen = this.#secretsUnsure.has(key) ? "all but secrets" : this.#seen;
      const isExact = !this.#looselyHeld.has(key);
      expect(
        await disagreement(recorded, there, this.twin, { seen, isExact }),
        `${key} says what state says`,
      ).toBeUndefined();
    }
  }

  /** The state is what the program declares, and a preview has nothing to say or to ask. */
  async #hasConverged(): Promise<void> {
    const declared = this.#program.resources();
    expect(this.#engine.state.map(({ urn }) => urn).sort()).toEqual(
      declared.map(({ kind, name }) => urnOf(kind, name)).sort(),
    );
    for (const each of declared) {
      const inputs = argumentsIn(each.kind, this.#engine.current(urnOf(each.kind, each.name))?.inputs ?? {});
      expect(sameMeaning(each.kind.root, inputs, meant(each)), `${each.name} is recorded as declared`).toBe(true);
    }
    const { outcome, requests } = await this.#preview(clear, false);
    expect(outcome.failures).toEqual([]);
    expect(outcome.steps, "a preview after an up changes nothing").toEqual([]);
    expect(requests, "a preview without changes asks nothing").toBe(0);
  }
}

const titleOf = (kind: Declared["kind"], slug: string) =>
  kind.isSingleton ? `the ${kind.title}` : `${kind.title} "${slug}"`;

const causes =
  /answered (?:\d{3}|with|without)\b|was refused a connection|was interrupted|got no answer within|found no connection|exists already|may exist|there is no|has no operation/;

/** A dataset that another resource uses at the service is seen only when it is deleted. */
const isForeseeable = ({ verb, message }: Failure) => !(verb === "delete" && /is in use by/.test(message));

/** It refers to a dataset that is not there. */
const refersToUnmade = ({ args }: Declared, stood: ReadonlyMap<string, Standing>) =>
  (args.datasetAllocations ?? []).some(
    ({ datasetSlug }: Json) => !knownDatasets.includes(datasetSlug) && !stood.has(`Dataset/${datasetSlug}`),
  );

/** An object stands under the slug, and is not what the state holds for this resource. */
function isInTheWay(
  { kind, name, slug }: Declared,
  stood: ReadonlyMap<string, Standing>,
  recorded: readonly Recorded[],
): boolean {
  const own = recorded.find((each) => each.urn === urnOf(kind, name) && !each.isOld);
  return stood.has(keyOf(kind, slug)) && own?.id !== slug;
}

/** Secret texts, in order. */
function secretsIn(field: Parameters<typeof withoutSecrets>[0], value: unknown): unknown[] {
  const found: unknown[] = [];
  field.visit({
    scalar: ({ options }) => {
      if (options.secret !== undefined && !isZero(value)) found.push(value);
    },
    map: () => {},
    list: ({ item }) => {
      if (Array.isArray(value)) for (const each of value as unknown[]) found.push(...secretsIn(item, each));
    },
    object: ({ shape }) => {
      for (const [name, inner] of Object.entries(shape.fields))
        found.push(...secretsIn(inner, (value as Json)?.[name]));
    },
  });
  return found;
}

/** Everything that stood before the operation is shown as an hour older, past the two seconds that clocks may differ by. */
function aged(fault: Fault, start: number): Fault {
  const reply: NonNullable<Fault["reply"]> = (given) => {
    const text = given.text.replace(/"created_at":"([^"]*)"/g, (whole, at: string) =>
      Date.parse(at) < start ? `"created_at":"${new Date(Date.parse(at) - 3_600_000).toISOString()}"` : whole,
    );
    return fault.reply?.({ ...given, text }) ?? { ...given, text };
  };
  return { ...fault, reply };
}
