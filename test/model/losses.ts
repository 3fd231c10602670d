import type { Field } from "../../dist/provider/schema/field.js";
import { fieldIn, formatPath, type Path } from "../../dist/provider/schema/walk.js";
import { at, changedPaths, isZero, type Json, offWire } from "../property/equivalence.js";
import { titleOf } from "../support/cases.js";
import { isFilledIn, type Seen, seenOf } from "./agreement.js";
import { marksOf } from "./engine.js";
import { adoptionOf, adoptOf, type Result, saysDeclared } from "./result.js";
import { leaksIn, shownOf } from "./secrets.js";
import type { Standing } from "./service.js";
import { type Declared, keyOf, oldOf, type Recorded } from "./state.js";

/** What must never happen. */
export const losses = ["lost", "taken twice", "wiped", "leaked"] as const;

export interface Loss {
  readonly sort: (typeof losses)[number];
  readonly says: string;
}

/** Everything after an operation. */
export interface After {
  readonly state: readonly Recorded[];
  readonly standing: ReadonlyMap<string, Standing>;
  readonly seen: Seen;
  /** Objects in state as state last heard of them. */
  readonly known: ReadonlyMap<string, Json>;
}

export function lossesOf(result: Result, after: After): Loss[] {
  return [
    ...lost(result, after).map((says): Loss => ({ sort: "lost", says })),
    ...takenTwice(result, after).map((says): Loss => ({ sort: "taken twice", says })),
    ...wipedNewer(result, after).map((says): Loss => ({ sort: "wiped", says })),
    ...wiped(result, after).map((says): Loss => ({ sort: "wiped", says })),
    ...takenBack(result, after).map((says): Loss => ({ sort: "wiped", says })),
    ...leaked(result).map((says): Loss => ({ sort: "leaked", says })),
  ];
}

/** Objects that the operation deleted, and should not have. */
function lost(result: Result, { standing, state }: After): string[] {
  const { operation, weather, program, recorded, stood, outcome } = result;
  return [...stood].flatMap(([key, { birth }]) => {
    const now = standing.get(key);
    if (now?.birth === birth) return [];
    // Somebody else has deleted it, and what they have created instead is still there.
    if (weather.sort === "successor" && now !== undefined) return [];
    const owners = recorded.filter((each) => keyOf(each.kind, each.id) === key);
    if (owners.length === 0) return [`${operation} deleted ${key}, which was not in the state`];
    if (owners.every(({ options }) => options.retainOnDelete)) return [`${operation} deleted ${key}, to be retained`];
    const declared = operation === "up" ? program.find((each) => keyOf(each.kind, each.slug) === key) : undefined;
    if (declared !== undefined) {
      const old = oldOf(declared, recorded);
      const isItsOwn = old?.id === declared.slug && outcome.steps.includes(`replace, delete first, ${declared.urn}`);
      if (!isItsOwn) return [`${operation} deleted ${key}, which ${declared.urn} declares`];
    }
    const holder = state.find(
      (each) =>
        keyOf(each.kind, each.id) === key && !each.isOld && !each.isPendingReplacement && !isUndone(each, result),
    );
    const isKnownToFail = outcome.failures.some(({ urn, verb }) => urn === holder?.urn && verb === "delete");
    return holder !== undefined && now === undefined && !isKnownToFail
      ? [`${operation} deleted ${key}, and ${holder.urn} holds it in the state`]
      : [];
  });
}

/** To be deleted, by an operation that ended before: its object may be gone, if another one held it too. */
export const isUndone = ({ urn }: Recorded, { operation, program, outcome }: Result) =>
  outcome.isBrokenOff && (operation === "destroy" || !program.some((each) => each.urn === urn));

/** Objects that two declared resources hold. */
function takenTwice({ program }: Result, { state }: After): string[] {
  const held = new Map<string, string>();
  return program.flatMap((declared) => {
    const own = state.find((each) => each.urn === declared.urn && !each.isOld && !each.isPendingReplacement);
    if (own === undefined) return [];
    const key = keyOf(own.kind, own.id);
    const other = held.get(key);
    held.set(key, own.urn);
    return other === undefined ? [] : [`${key} is held by ${other} and by ${own.urn}`];
  });
}

/** Fields beyond the schema that a write erased or changed. What a token may not read, it cannot keep. */
function wipedNewer({ operation, weather, stood }: Result, { standing }: After): string[] {
  return [...stood].flatMap(([key, before]) => {
    const now = standing.get(key);
    const isShown =
      weather.sort !== "no reading" && !(weather.sort === "no list of notifiers" && before.kind.readsByList);
    if (now?.birth !== before.birth || !isShown) return [];
    const left = new Map(now.newer);
    return before.newer.flatMap(([place, value]) => {
      const around = place.split(".").slice(0, -1);
      // The program may take away an object with all that is in it.
      const isThere = at(now.wire, around) !== undefined;
      return isThere && left.get(place) !== value ? [`${operation} wiped ${place} of ${key}`] : [];
    });
  });
}

/** Changes of an existing object that an adoption did not name. */
function wiped(result: Result, { standing, seen }: After): string[] {
  const { outcome, program, stood } = result;
  const created = program.filter(({ urn }) =>
    outcome.steps.some((step) => step === `create ${urn}` || (step.startsWith("replace") && step.endsWith(` ${urn}`))),
  );
  return created.flatMap((declared) => {
    const { kind, slug } = declared;
    const [before, now] = [stood, standing].map((each) => each.get(keyOf(kind, slug)));
    if (before === undefined || now === undefined || now.birth !== before.birth) return [];
    const [was, is] = [before, now].map(({ wire }) => seenOf(kind.root, offWire(kind.root, wire), seen) as Json);
    const told = result.notes.filter((note) => note.startsWith(adoptionOf(kind, slug)));
    return changedPaths(kind.root, was, is)
      .filter((path) => !isOfService(declared, was, is, path))
      .filter((path) => !told.some((note) => names(note, path)))
      .map((path) => `${formatPath(path)} of ${declared.urn} changed without a word; told: ${told.join("; ")}`);
  });
}

/** Edits by others that an update took back, and did not name. What a token may not read, it cannot name. */
function takenBack(result: Result, { standing, seen, known }: After): string[] {
  const { outcome, program, stood, weather, notes } = result;
  if (weather.sort === "no reading" || weather.sort === "no list of notifiers") return [];
  const updated = program.filter(({ urn }) => outcome.steps.includes(`update ${urn}`));
  return updated.flatMap((declared) => {
    const { kind, slug } = declared;
    const key = keyOf(kind, slug);
    const [left, before, now] = [known.get(key), stood.get(key)?.wire, standing.get(key)?.wire];
    if (left === undefined || before === undefined || now === undefined) return [];
    const [then, was, is] = [left, before, now].map(
      (wire) => seenOf(kind.root, offWire(kind.root, wire), seen) as Json,
    );
    const told = notes.filter(
      (note) => note.startsWith(`${titleOf(kind, slug)} was edited outside`) || takesOver(note, declared),
    );
    const lost = changedPaths(kind.root, was, is).filter((path) => !isOfService(declared, was, is, path));
    // Of a list without order whose items both have changed, the provider compares those that it pairs.
    const isRewritten = (path: Path) => {
      const [before, after] = [at(was, path), at(is, path)] as unknown[];
      const isPaired = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
      return isPaired && lost.some((each) => formatPath(each) === formatPath(path));
    };
    return changedPaths(kind.root, then, was)
      .filter((edited) => !isRewritten(edited))
      .filter((edited) => lost.some((path) => isWithin(path, edited) || isWithin(edited, path)))
      .filter(
        (edited) =>
          !told.some((note) => names(note, edited) || lost.some((path) => isWithin(path, edited) && names(note, path))),
      )
      .map(
        (path) =>
          `the edit of ${formatPath(path)} of ${declared.urn} was taken back without a word; told: ${told.join("; ")}`,
      );
  });
}

const takesOver = (note: string, { kind, slug }: Declared) => note.startsWith(adoptionOf(kind, slug));

const isWithin = (path: Path, other: Path) => other.every((step, i) => String(step) === String(path[i]));

/** The service filled it in, or would. */
const isOfService = ({ kind }: Declared, was: Json | undefined, is: Json | undefined, path: Path) => {
  const field = path.reduce<Field | undefined>((around, step) => around && fieldIn(around, step), kind.root);
  const [before, now] = [at(was, path), at(is, path)] as unknown[];
  return field !== undefined && [before, now].every((each) => isZero(each) || isFilledIn(field, each));
};

/** Whether an adoption's note names a place, or one around it. Of many it names the first; of what it cannot see, none. */
const names = (note: string, path: Path) =>
  /and \d+ more|and overwrites it. This service can't show/.test(note) ||
  path.some((_, i) => note.includes(formatPath(path.slice(0, i + 1))));

function leaked({ outcome, notes, program, shownSecrets }: Result): string[] {
  const told = [...outcome.failures.map(({ message }) => message), ...notes];
  const marked = program.flatMap((declared) => {
    const about = notes.filter((note) => note.includes(`${adoptionOf(declared.kind, declared.slug)} and `));
    return about.flatMap((note) => shownOf(marksOf(declared), note));
  });
  return [...told.flatMap(leaksIn), ...marked, ...shownSecrets];
}

/** Objects that stood before and that a create has taken: which resource, and whether it may. */
export function takenOver(result: Result, { state, standing }: After) {
  const { recorded, program, stood } = result;
  const serials = new Set(recorded.map(({ serial }) => serial));
  return state.flatMap((taken) => {
    const key = keyOf(taken.kind, taken.id);
    const [before, now] = [stood.get(key), standing.get(key)];
    const declared = program.find(({ urn }) => urn === taken.urn);
    if (serials.has(taken.serial) || before === undefined || declared === undefined) return [];
    if (now === undefined || now.birth !== before.birth) return [];
    const adopt = adoptOf(declared, result);
    return [{ key, declared, adopt, before, now, isIdentical: saysDeclared(declared, result) }];
  });
}
