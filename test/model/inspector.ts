import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { offWire, isEquivalent } from "../property/equivalence.js";
import { titleOf } from "../support/cases.js";
import { disagreement, type Seen, seenOf } from "./agreement.js";
import { hasWords, isExplained } from "./explained.js";
import { type After, isUndone, lossesOf, takenOver } from "./losses.js";
import type { Memory } from "./memory.js";
import { adoptionOf, adoptOf, type Result } from "./result.js";
import { secretsIn } from "./secrets.js";
import type { RestartableService, Standing, Twin } from "./service.js";
import { keyOf, oldOf, type Recorded } from "./state.js";
import { meant } from "./program.js";
import { isCalm } from "./weather.js";

/** Counts one thing that was done. */
export type Count = (what: string, more?: number) => void;

/** What holds after each operation. */
export class Inspector {
  constructor(
    private readonly service: RestartableService,
    private readonly twin: Twin,
    private readonly memory: Memory,
    private readonly count: Count,
  ) {}

  async inspect(result: Result, state: readonly Recorded[]): Promise<void> {
    const standing = await this.memory.look();
    if (result.weather.sort === "ignored dry runs") this.#touchesOne(result, standing);
    const after: After = { state, standing, seen: this.#seen, known: this.memory.known };
    const found = lossesOf(result, after);
    for (const { sort } of found) this.count(`oracle ${sort}`);
    if (found.length > 0) throw new Error(found.map(({ sort, says }) => `${sort}: ${says}`).join("\n"));
    this.count("failures told", result.outcome.failures.length);
    for (const failure of result.outcome.failures) {
      hasWords(failure, result.weather);
      const key = keyOf(failure.kind, failure.slug);
      const isMade = standing.get(key)?.birth !== result.stood.get(key)?.birth && standing.has(key);
      if (/ENOSPC/.test(failure.message))
        expect(isMade, `${key} is not made without a place for its claim`).toBe(false);
    }
    if (isCalm(result.weather)) isExplained(result, after.standing);
    this.#takesNothingUnasked(result, after);
    this.#remember(result, after);
    this.#leavesNothing(result, after);
    this.#tellsOfOrphans(result, after);
    await this.#agrees(after);
  }

  get #seen(): Seen {
    return this.service.showsSecrets ? "all" : "all but masked values";
  }

  /** A preview that has written names the one object that it has touched. */
  #touchesOne({ operation, stood, outcome }: Result, standing: ReadonlyMap<string, Standing>): void {
    if (operation !== "preview") return;
    const keys = new Set([...stood.keys(), ...standing.keys()]);
    const touched = [...keys].filter((key) => !isDeepStrictEqual(stood.get(key)?.wire, standing.get(key)?.wire));
    expect(touched.length, `touched by a preview: ${touched.join(", ")}`).toBeLessThanOrEqual(1);
    for (const [key, { kind, slug, wire }] of standing) {
      if (!touched.includes(key)) continue;
      const words = `a dry run ${stood.has(key) ? "changed" : "created"} ${titleOf(kind, slug)}, because the service`;
      expect(outcome.failures.filter(({ message }) => message.includes(words))).toHaveLength(1);
      if (!stood.has(key)) this.memory.told.add(key);
      else if (this.memory.theirs.has(key)) this.memory.theirs.set(key, JSON.stringify(wire));
      for (const set of [this.memory.unsure, this.memory.secretsUnsure]) set.add(key);
      this.count("objects touched by a preview, told");
    }
  }

  /** What was there before belongs to whoever made it, until the program says adopt; and an adoption is told. */
  #takesNothingUnasked(result: Result, after: After): void {
    const { operation, program, notes } = result;
    const { theirs, told } = this.memory;
    for (const { key, declared, adopt, before, now, isIdentical } of takenOver(result, after)) {
      const { kind, slug } = declared;
      expect(adopt, `${key} existed already, and is adopted only if the program allows it`).not.toBe(false);
      if (adopt === "identical") {
        expect(isIdentical, `${key} says what is declared`).toBe(true);
        // A secret that the service masks is written, and nothing else.
        const isWritten = this.#seen !== "all" && secretsIn(kind.root, meant(declared)).length > 0;
        const [was, is] = [before, now].map(({ wire }) => seenOf(kind.root, offWire(kind.root, wire), this.#seen));
        if (isWritten) expect(isEquivalent(kind.root, was, is), `${key} is adopted without changes`).toBe(true);
        else expect(now.wire, `${key} is adopted without changes`).toEqual(before.wire);
      }
      const isTold = notes.some((note) => note.startsWith(adoptionOf(kind, slug)));
      expect(isTold, `the take-over of ${key} is told`).toBe(true);
      this.count(`adopted, adopt ${adopt}`);
      theirs.delete(key);
    }
    const adopting = program.filter((each) => operation === "up" && adoptOf(each, result) !== false);
    const meantToTake = new Set(adopting.map((each) => keyOf(each.kind, each.slug)));
    const others = this.memory.othersIn(after.state, after.standing);
    const recorded = new Set(
      after.state.filter((each) => !each.isPendingReplacement).map(({ kind, id }) => keyOf(kind, id)),
    );
    for (const [key, wire] of theirs) {
      // An object that a refresh found recreated is the stack's own, and the refresh reports it.
      const isTaken = recorded.has(key) && !others.has(key);
      if (isTaken && operation === "refresh") {
        expect(notes.join("\n"), `${key} is recorded by a refresh, which reports it`).toMatch(
          /recreated outside this stack. The refresh accepts/,
        );
        this.count("recreated, and recorded by a refresh");
        theirs.delete(key);
        continue;
      }
      // Without the right to read it, nobody can compare: that is said.
      const there = after.standing.get(key);
      const isUnseen =
        there === undefined ? /this stack created the object, and deletes it anyway/ : /this update overwrote it/;
      const isChanged = JSON.stringify(there?.wire) !== wire;
      const words = [...notes, ...result.outcome.failures.map(({ message }) => message)];
      if (isChanged && result.weather.sort !== "clear" && words.some((each) => isUnseen.test(each))) {
        this.count("another's object, written or deleted unseen, and told");
        theirs.delete(key);
        continue;
      }
      // An update may adopt an object without changes.
      const isTheirs = !isTaken && !isChanged;
      expect(isTheirs || meantToTake.has(key), `${key} of somebody else's stays as it was`).toBe(true);
      if (isTheirs) continue;
      // Adopted and updated: after a failure it must still belong to the resource.
      theirs.delete(key);
      told.add(key);
    }
  }

  /** Notes what state knows of each object now. */
  #remember(result: Result, { state, standing }: After): void {
    const { operation, outcome, recorded } = result;
    const { unsure, secretsUnsure, known } = this.memory;
    for (const each of state.filter((one) => isUndone(one, result))) unsure.add(keyOf(each.kind, each.id));
    // Of one URN there may be several, and each has its slug.
    const failed = new Set(outcome.failures.map(({ verb, urn, slug }) => `${verb} ${urn} ${slug}`));
    for (const { verb, kind, slug } of outcome.failures) {
      if (verb !== "update" && verb !== "delete" && verb !== "create") continue;
      unsure.add(keyOf(kind, slug));
      secretsUnsure.add(keyOf(kind, slug));
    }
    const knew = new Set(recorded.map(({ serial }) => serial));
    for (const { kind, urn, id, serial, isOld } of state) {
      const key = keyOf(kind, id);
      const isRead = operation === "refresh" && !failed.has(`read ${urn} ${id}`);
      const isCreated = !knew.has(serial);
      const isUpdated =
        operation === "up" && !isOld && outcome.steps.includes(`update ${urn}`) && !failed.has(`update ${urn} ${id}`);
      // What another run has left may hold the same object: a create or update by the new owner is news to it.
      if (isRead || isCreated || isUpdated) {
        unsure.delete(key);
        const wire = standing.get(key)?.wire;
        if (wire !== undefined) known.set(key, wire);
      }
      if (isCreated || isUpdated) secretsUnsure.delete(key);
    }
    const held = new Set(state.map(({ kind, id }) => keyOf(kind, id)));
    for (const set of [unsure, secretsUnsure]) for (const key of set) if (!held.has(key)) set.delete(key);
  }

  /** What leaves the state no longer exists, or stays if the user was told, or wants it so. */
  #leavesNothing({ operation, weather, notes, recorded }: Result, { state, standing }: After): void {
    // A replacement that comes later records what it has deleted, or left.
    const kept = state.filter((each) => !each.isPendingReplacement);
    const held = new Set(kept.map(({ kind, id }) => keyOf(kind, id)));
    // The engine asks for no second delete of what a replacement has deleted.
    for (const each of recorded.filter(({ isPendingReplacement }) => !isPendingReplacement)) {
      const { kind, id, options } = each;
      const key = keyOf(kind, id);
      const there = standing.get(key);
      if (held.has(key) || there === undefined || this.memory.theirs.has(key)) continue;
      if (options.retainOnDelete) {
        this.memory.theirs.set(key, JSON.stringify(there.wire));
        continue;
      }
      const isSaid = notes.some((note) => note.includes(titleOf(kind, id)) && /\bnot deleted\b/.test(note));
      // It no longer exists, and a create has made the next one since: nobody's object without a word is found below.
      if (this.memory.isOther(each, there.wire) && !isSaid) continue;
      // A process that is killed does not come to say what it has left.
      const isLeft = weather.sort === "death" || isSaid;
      expect(isLeft, `${operation} took ${key} out of the state, and it is still there`).toBe(true);
      this.memory.told.add(key);
    }
  }

  /** No object of ours is outside of the state without a word. */
  #tellsOfOrphans({ outcome }: Result, { state, standing }: After): void {
    const { theirs, told } = this.memory;
    // A pending replacement records an object that is deleted already.
    const present = state.filter((each) => !each.isPendingReplacement);
    const held = new Set(present.map(({ kind, id }) => keyOf(kind, id)));
    for (const key of told) if (held.has(key) || !standing.has(key)) told.delete(key);
    for (const [key] of standing) {
      if (held.has(key) || theirs.has(key) || told.has(key)) continue;
      const about = outcome.failures.filter((each) => each.verb === "create" && keyOf(each.kind, each.slug) === key);
      const isTold = about.some(
        ({ message, isSilent }) => isSilent || /(may exist|answer was lost|already exists).*adopt/s.test(message),
      );
      const words = about.map(({ message }) => message).join("; ") || "nothing";
      expect(isTold, `${key} was made, is not in state, and this was said of it: ${words}`).toBe(true);
      this.count("objects left by a failed create, told");
      told.add(key);
    }
  }

  /** Everything in state is there and says what state says, as far as nobody came between. */
  async #agrees({ state, standing }: After): Promise<void> {
    for (const recorded of state) {
      const { kind, id, isOld, isPendingReplacement } = recorded;
      const key = keyOf(kind, id);
      if (isPendingReplacement || this.memory.unsure.has(key) || this.memory.theirs.has(key)) continue;
      const there = standing.get(key);
      if (there === undefined) {
        this.count("oracle lost");
        throw new Error(`lost: ${key} is in state, and not at the service`);
      }
      if (isOld || this.#isSuperseded(recorded, state)) continue;
      if (!kind.isSingleton) expect(recorded.outputs.slug, `${key} is recorded as itself`).toBe(id);
      const seen = this.memory.secretsUnsure.has(key) ? "all but secrets" : this.#seen;
      expect(await disagreement(recorded, there, this.twin, seen), `${key} says what state says`).toBeUndefined();
    }
  }

  /** A newer entry of the state holds the same object, or one that has written it since. */
  #isSuperseded({ kind, id, serial, outputs }: Recorded, state: readonly Recorded[]): boolean {
    const isNewer = (other: Recorded) =>
      other.serial > serial || String(other.outputs.updatedAt) > String(outputs.updatedAt);
    return state.some((other) => other.kind === kind && other.id === id && isNewer(other));
  }
}

/** What a saved plan would hold the engine to: the same answers of check in the preview and in the update. */
export function planHolds(preview: Result, up: Result): void {
  for (const [urn, planned] of preview.outcome.checked) {
    const checked = up.outcome.checked.get(urn) ?? [];
    const both = planned.slice(0, checked.length);
    expect(isDeepStrictEqual(checked.slice(0, planned.length), both), `the plan of ${urn} holds`).toBe(true);
  }
}

export const takesOver = (note: string) => /adopts the existing .*/s.exec(note)?.[0];

/**
 * A preview tells what an update will take over, and in the same words.
 *
 * Not of what a replacement that was broken off has left there, a defect that defects.test.ts shows. What depends on values
 * of a new resource is reported as not validated.
 */
export function isForetold(preview: Result, up: Result): void {
  const foretold = new Set(preview.notes.map(takesOver));
  const pending = up.program.filter((each) => each.options.comesLate || oldOf(each, up.recorded)?.isPendingReplacement);
  const left = pending.map(({ kind, slug }) => adoptionOf(kind, slug));
  const silent = up.notes
    .filter((note) => note.startsWith("adopts the existing") && !left.some((beginning) => note.startsWith(beginning)))
    .filter((note) => !foretold.has(takesOver(note)));
  expect(silent, "a preview names what an update adopts").toEqual([]);
}

export const standingKeys = (standing: ReadonlyMap<string, Standing>) => [...standing.keys()].sort();
