import { describeDifferences, type Difference } from "../../values/differences";
import type { JsonObject } from "../../wire/json";
import { oneLine, redact } from "./explain";
import type { Target } from "../objects/target";

/**
 * Warns about declared values that the service stores in another form. State records both forms, so that neither a preview
 * nor a refresh finds a difference later.
 */
export function noteStored(target: Target, object: JsonObject): void {
  const { run, kind, title, secrets } = target;
  const found = target
    .differencesFrom(object)
    .filter(
      (each) => !each.isLeftOut && !each.isMasked && each.field.options.secret === undefined && !isRespelled(each),
    );
  // What it only adds was not declared.
  if (found.every(({ desired }) => desired === undefined)) return;
  const redacted = (text: string) => oneLine(redact(text, target));
  const changes = found.map((each) => ({ ...each, desired: each.actual, actual: each.desired }));
  const what = `the service stores other values than declared, and ${describeDifferences(kind.root, changes, redacted, secrets)}. Declare the values that it stores`;
  run.noteShared(redacted(what), title, "warning");
}

/** Whether the service shows a number as a string, or the value of an enumeration with a prefix. */
const isRespelled = ({ field, desired, actual }: Difference) =>
  (typeof desired === "number" && Number(actual) === desired) ||
  (field.options.suggestions !== undefined && String(actual).endsWith(`_${String(desired)}`));
