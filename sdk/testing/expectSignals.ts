import { labelsText, type Marks, picture, signalText } from "./picture";
import type { TestSimulation } from "./simulate";
import { timeSecs, testTimeText, type Time } from "./times";
import { notificationsSince } from "../behavior/notifications";
import type { Labels, Signal, Severity } from "../behavior/signals";

/** The signals differ from a test's expectation. Not Node's AssertionError, with which jest shows "undefined" values. */
export class ExpectationError extends Error {
  override readonly name = "ExpectationError";

  /** @param caller The function that the test called. The stack starts below it. */
  constructor(message: string, caller: Caller) {
    super(message);
    Error.captureStackTrace(this, caller);
  }
}

/** Expectations of all signals of a simulation, or by `critical` and `warn` of some. */
export const expectSignals = (simulation: TestSimulation): Signals => new Signals(simulation);

/** Signals and what a test expects of them. Each expectation throws an ExpectationError that shows the timeline. */
class Signals {
  constructor(
    private readonly simulation: TestSimulation,
    private readonly severity?: Severity,
    private readonly labels: Labels = {},
  ) {}

  /** Only the signals of severity critical, with these labels. */
  critical(labels: Labels = {}): Signals {
    return this.#only("critical", labels, this.critical);
  }

  /** Only the signals of severity warn, with these labels. */
  warn(labels: Labels = {}): Signals {
    return this.#only("warn", labels, this.warn);
  }

  /** At least one signal fires. */
  toFire(): this {
    if (this.#signals.length === 0) this.#fail(this.toFire, "to fire", "none fired");
    return this;
  }

  /** No signal fires. */
  notToFire(): this {
    if (this.#signals.length > 0) this.#fail(this.notToFire, "not to fire", `it fired at ${this.#texts(this.#fired)}`);
    return this;
  }

  /** Exactly this number of signals fires. */
  toFireTimes(count: number): this {
    const { length } = this.#signals;
    if (length !== count) this.#fail(this.toFireTimes, `to fire ${timesOf(count)}`, `it fired ${timesOf(length)}`);
    return this;
  }

  /** Signals fire at exactly these times. */
  toFireAt(...times: readonly Time[]): this {
    this.#compare(this.toFireAt, "fire", "fired", times, this.#fired);
    return this;
  }

  /** Signals resolve at exactly these times. */
  toResolveAt(...times: readonly Time[]): this {
    const resolved = this.#signals.flatMap(({ resolvedAt }) => resolvedAt ?? []);
    this.#compare(this.toResolveAt, "resolve", "resolved", times, resolved);
    return this;
  }

  /** At least one signal fires at this time, since then or before. */
  toBeFiringAt(time: Time): this {
    const at = this.#simulatedAt(time, this.toBeFiringAt);
    if (!this.#isFiringAt(at)) this.#failAt(this.toBeFiringAt, "to be firing at", at, "none is");
    return this;
  }

  /** No signal fires at this time. */
  notToBeFiringAt(time: Time): this {
    const at = this.#simulatedAt(time, this.notToBeFiringAt);
    if (this.#isFiringAt(at)) this.#failAt(this.notToBeFiringAt, "not to be firing at", at, "one is");
    return this;
  }

  /** Exactly this number of notifications is sent: one for all signals of a severity that begin at the same evaluation. */
  toNotifyTimes(count: number): this {
    const sent = notificationsSince(this.simulation.from, this.#signals).length;
    if (sent !== count) this.#fail(this.toNotifyTimes, `to notify ${timesOf(count)}`, `it notified ${timesOf(sent)}`);
    return this;
  }

  /** Fails if there can be no such signal: an expectation that none fires would always pass. */
  #only(severity: Severity, labels: Labels, caller: Caller): Signals {
    const { groups, severities } = this.simulation;
    if (!severities.has(severity)) {
      throw new ExpectationError(
        `no signal can have the severity ${severity}: the monitor has no condition for it`,
        caller,
      );
    }
    if (!groups.some((group) => isPartOf(labels, group))) {
      const known = [...new Set(groups.map((group) => labelsText(group)))].join(", ");
      throw new ExpectationError(
        `no signal can have the labels ${labelsText(labels)}. By signalGrouping, signals have ${known}`,
        caller,
      );
    }
    return new Signals(this.simulation, severity, labels);
  }

  get #signals(): readonly Signal[] {
    return this.simulation.signals.filter(
      ({ severity, labels }) =>
        (this.severity === undefined || severity === this.severity) && isPartOf(this.labels, labels),
    );
  }

  get #fired(): readonly number[] {
    return this.#signals.map(({ firedAt }) => firedAt);
  }

  #isFiringAt(at: number): boolean {
    return this.#signals.some(({ firedAt, resolvedAt = Infinity }) => firedAt <= at && at < resolvedAt);
  }

  #secondsOf(time: Time): number {
    return timeSecs(time, this.simulation.from);
  }

  /** Fails if the time is outside the simulation: an expectation that none fires would always pass. */
  #simulatedAt(time: Time, caller: Caller): number {
    const [at, { from, to }] = [this.#secondsOf(time), this.simulation];
    if (at >= from && at < to) return at;
    const span = `it starts at ${this.#texts([from])} and ends before ${this.#texts([to])}`;
    throw new ExpectationError(`${this.#texts([at])} is outside the simulation: ${span}`, caller);
  }

  #texts(times: readonly number[]): string {
    return times.length === 0 ? "none" : times.map((time) => testTimeText(time, this.simulation.from)).join(", ");
  }

  #compare(caller: Caller, verb: string, past: string, times: readonly Time[], found: readonly number[]): void {
    const expected = times.map((time) => this.#secondsOf(time)).sort((a, b) => a - b);
    const actual = [...found].sort((a, b) => a - b);
    if (expected.length === actual.length && expected.every((time, i) => time === actual[i])) return;
    const got = actual.length === 0 ? `none ${past}` : `it ${past} at ${this.#texts(actual)}`;
    this.#fail(caller, `to ${verb} at ${this.#texts(expected)}`, got, [{ title: "expected", times: expected }]);
  }

  #failAt(caller: Caller, expected: string, at: number, found: string): never {
    return this.#fail(caller, `${expected} ${this.#texts([at])}`, found, [{ title: "then", times: [at] }]);
  }

  #fail(caller: Caller, expected: string, found: string, marks: readonly Marks[] = []): never {
    const who = this.severity === undefined ? "signals" : signalText({ severity: this.severity, labels: this.labels });
    const timeLine = picture(this.simulation, marks);
    throw new ExpectationError(`expected ${who} ${expected}, but ${found}\n\n${timeLine}\n`, caller);
  }
}

const timesOf = (count: number) => `${count} ${count === 1 ? "time" : "times"}`;

const isPartOf = (labels: Labels, all: Labels) => Object.entries(labels).every(([name, value]) => all[name] === value);

type Caller = (...args: never[]) => unknown;
export type { Signals };
