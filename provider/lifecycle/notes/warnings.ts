import { certainPart, formatPath, valueAt } from "../../schema/walk";
import { placesOf } from "../../values/differences";
import { doubtsIn } from "../../values/doubts";
import { pathFrom } from "../../values/ignored";
import { pathRemedy } from "../../values/optionPaths";
import { pathsWhere, unknown, unknownPaths } from "../../values/unknown";
import type { Doubted } from "../../protocol";
import type { JsonObject } from "../../wire/json";
import { oneLine, redact } from "./explain";
import { codedNote } from "./notes";
import type { Target } from "../objects/target";

/**
 * Warnings about values that are allowed, but likely a mistake. Sends no request.
 * @param before The old arguments, whose secrets are redacted too.
 */
export function doubtsAbout(target: Target, before: JsonObject): readonly Doubted[] {
  const { session, kind, title, args, marks } = target;
  const { knownValues, unknownValues } = session.settings;
  const safe = (text: string) => oneLine(redact(text, target, before));
  const hints = kind.hints(args).map((hint) => ({ what: safe(hint), object: title }));
  if (unknownValues === "fail") return hints; // The check rejects unknown values.
  const doubts = doubtsIn(kind.root, args, { marks, knownValues });
  return [...hints, ...doubts.map(({ why, places }) => ({ what: safe(why), object: `${title}: ${safe(places)}` }))];
}

/** Reports the doubts, each once for all objects. */
export function noteDoubts(target: Target, before: JsonObject): void {
  for (const { what, object } of doubtsAbout(target, before)) target.session.noteShared(what, object, "warning");
}

/**
 * Warns about each null, which counts as not set.
 * @param given The arguments as the program gives them.
 */
export function noteNulls({ session, kind, title, marks }: Target, given: JsonObject): void {
  const places = placesOf(
    kind.root,
    pathsWhere(given, (each) => each === null),
    marks,
  ).sort();
  if (places.length === 0) return;
  session.noteOnce(
    oneLine(`${title}: ${places.join(", ")}: null counts as not set. If that is intended, omit the argument`),
    "warning",
  );
}

/** The object in a text about a resource whose slug and name may both be unknown. */
const titleOf = ({ kind, slug, args, context }: Target) =>
  oneLine(kind.titleOf(String([slug, args.name].find((value) => value !== unknown) ?? context.name)));

/** Reports which values are not validated before the update. Returns whether there are any. */
export function noteUnknowns(target: Target): boolean {
  const { session, kind, args, marks } = target;
  // Sorted: the engine checks a replaced resource twice, with its fields in different orders.
  const open = placesOf(kind.root, unknownPaths(args), marks).sort();
  if (open.length === 0) return false;
  const text = `${titleOf(target)} is validated only in the update, because these values are unknown until then: ${open.join(", ")}`;
  session.noteOnce(codedNote(text, "known-later"));
  return true;
}

/**
 * Warns about paths in options that lead to no argument, which the engine passes over in silence, and about each path of
 * `ignoreChanges` into an unordered list.
 */
export function noteOptionPaths(target: Target): void {
  const { ignoreChanges, replaceOnChanges, hideDiffs, secretOutputs: additionalSecretOutputs } = target.context;
  const options = { ignoreChanges, replaceOnChanges, hideDiffs, additionalSecretOutputs };
  for (const [option, texts = []] of Object.entries(options)) {
    const onlyNames = option === "additionalSecretOutputs";
    const what = onlyNames
      ? "the name of a whole argument, so the option encrypts nothing"
      : "the path of an argument, so the option has no effect there";
    for (const text of texts) {
      const remedy = pathRemedy(target.kind.root, text, onlyNames);
      const ofOrder = option === "ignoreChanges" ? orderProblem(target, text) : undefined;
      const problem = remedy === undefined ? ofOrder : `, which is not ${what}. ${remedy}`;
      if (problem === undefined) continue;
      target.session.noteOnce(oneLine(`${titleOf(target)}: ${option} contains ${text}${problem}`), "warning");
    }
  }
}

/** The engine identifies items by index, and the recorded order of an unordered list may differ from the program's. */
function orderProblem({ kind, args }: Target, text: string): string | undefined {
  const path = pathFrom(text);
  const list = certainPart(kind.root, path);
  const items = valueAt(args, list);
  if (list.length === path.length || !Array.isArray(items) || items.length < 2) return undefined;
  return (
    ". The order of this list can change, so the option may keep an ignored value in another item. Use the path of the whole " +
    `list: ${formatPath(list)}`
  );
}
