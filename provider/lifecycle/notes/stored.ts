import { valueAt } from "../../schema/walk";
import { describeDifferences, type Difference, placesOf } from "../../values/differences";
import { type FilledIn, objectAsWritten } from "../../values/drift";
import { isEquivalent } from "../../values/equal";
import { fromWire } from "../../wire/codec";
import type { JsonObject } from "../../wire/json";
import { oneLine, redact } from "./explain";
import type { Target } from "../objects/target";

/**
 * Warns about declared values that the service stores in another form. State records both forms, so that neither a preview
 * nor a refresh finds a difference later.
 */
export function noteStored(target: Target, object: JsonObject): void {
  const { session, kind, title, marks } = target;
  const found = target
    .differencesFrom(object)
    .filter(
      (each) => !each.isLeftOut && !each.isMasked && each.field.options.secret === undefined && !isRespelled(each),
    );
  // What it only adds was not declared.
  if (found.every(({ desired }) => desired === undefined)) return;
  const redacted = (text: string) => oneLine(redact(text, target));
  const changes = found.map((each) => ({ ...each, desired: each.actual, actual: each.desired }));
  const what = `the service stores other values than declared. It ${describeDifferences(kind.root, changes, redacted, marks)}. To silence this warning, declare the stored values`;
  session.noteShared(redacted(what), title, "warning");
}

/** What is known of an object before a write. */
interface Earlier {
  /** As the service showed it. */
  readonly overwritten?: JsonObject | undefined;
  /** The recorded arguments. */
  readonly managed?: JsonObject | undefined;
  /** What the service had filled in then: it may fill that in again. */
  readonly filledIn?: FilledIn | undefined;
}

/**
 * Warns about values that the service keeps although they were left out, as one does whose PUT merges: state records them
 * as filled in, so that nothing reports them later.
 */
export function noteKept(target: Target, object: JsonObject, earlier: Earlier): void {
  const { session, kind, title, marks } = target;
  const { overwritten = {}, managed = {}, filledIn = {} } = earlier;
  const before = fromWire(kind.root, overwritten);
  const written = objectAsWritten(managed, filledIn);
  const isKept = ({ path, field, desired, actual }: Difference) => {
    const wasFilledIn = valueAt(managed, path) === undefined && valueAt(written, path) !== undefined;
    const was = valueAt(before, path) ?? valueAt(written, path);
    return desired === undefined && !wasFilledIn && isEquivalent(field, was, actual);
  };
  const kept = target.differencesFrom(object).filter(isKept);
  if (kept.length === 0) return;
  const paths = kept.map(({ path }) => path);
  const places = placesOf(kind.root, paths, marks).join(", ");
  const what = `the service still has ${places}, which this update left out. Later previews don't show this. If you don't want the value, remove it in the service`;
  session.noteShared(oneLine(what), title, "warning");
}

/** Whether the service shows a number as a string, or the value of an enumeration with a prefix. */
const isRespelled = ({ field, desired, actual }: Difference) =>
  (typeof desired === "number" && Number(actual) === desired) ||
  (field.options.suggestions !== undefined && String(actual).endsWith(`_${String(desired)}`));
