import type { Effect } from "../../provider/schema/effect";
import type { FieldOptions } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { formatPath, type Path, scalarsOf } from "../../provider/schema/walk";
import type { Leaf } from "../../provider/values/leaves";
import { unknown } from "../../provider/values/unknown";
import type { JsonObject } from "../../provider/wire/json";
import { samenessWithin } from "../../sdk/engine/objects";
import { metricsRead, type NameMatchers } from "../promql/metrics";
import type { Change, StackPreview } from "../preview/stackPreview";
import { shownPath, stepsIn } from "../meaning/parts";
import { masked } from "../../sdk/engine/preview";
import { hiddenText, isHidden } from "../meaning/hidden";
import { effectsAt } from "../consequences/effects";
import { rulesOf } from "../consequences/kinds/index";
import { renamesIn } from "../consequences/renames";
import type { ComparedSides } from "../consequences/risks";

/** The metrics of a resource before and after a change. Contains no secret. */
export interface MetricUser {
  readonly kind: string;
  /** The Pulumi name. */
  readonly name: string;
  /** The URL of the service; `""` if the preview does not show it. */
  readonly service: string;
  /** The metrics that it published before the change, and those that it publishes after it. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** The selectors of its queries after the change. */
  readonly reads?: readonly NameMatchers[];
  /** Those for want of which it may fire, such as those in `absent`. */
  readonly absences?: readonly NameMatchers[];
  /** Whether the resource is new, or selects other data than before. */
  readonly change?: "new" | "data";
  /** Whether a name that it publishes is a secret or unknown on one side of the change. */
  readonly isHidden?: true;
  /** Why some of its metrics can't be determined. */
  readonly unclear?: readonly string[];
}

/** The metrics that a resource queries and publishes; empty if it does neither. */
export function metricUsersOf(change: Change, preview: StackPreview, compared: ComparedSides): readonly MetricUser[] {
  const { kind, name, op, objects } = change;
  const before = change.before ?? compared?.before;
  const isLeft = change.after === undefined && change.isRetained;
  const after = isLeft ? before : change.after;
  const named = namesOf(kind, before, after);
  // A replacement leaves the old object, too.
  const left = op === "replace" && change.isRetained ? named.before : [];
  const names = { ...named, after: [...new Set([...named.after, ...left])] };
  const { reads, unclear, ...queries } = queriesOf(kind, after);
  const absences = after && rulesOf(kind.name).firesWithoutData?.(after) ? reads : queries.absences;
  const problems = [...names.unclear, ...unclear];
  if (names.before.length + names.after.length + reads.length + problems.length === 0) return [];
  // Another resource has the object now, or is it under another name.
  if (renamesIn(preview).gone.has(change)) return [];
  if (change.after === undefined && preview.changes.some((each) => hasObjectOf(each, change))) return [];
  const isOther = compared?.findings.some(({ at }) => at.some((path) => selectsData(kind, path))) === true;
  const isChanged = op !== "same" && (isOther || names.isHidden);
  return [
    {
      kind: kind.name,
      name,
      service: (objects.new ?? objects.old)?.service ?? "",
      ...(names.before.length > 0 && { before: names.before }),
      ...(names.after.length > 0 && { after: names.after }),
      ...(reads.length > 0 && { reads }),
      ...(absences.length > 0 && { absences }),
      ...(before === undefined ? { change: "new" } : isChanged && { change: "data" }),
      ...(names.isHidden && { isHidden: true }),
      ...(problems.length > 0 && { unclear: problems }),
    },
  ];
}

const hasObjectOf = ({ op, objects: { new: now } }: Change, { objects: { old } }: Change) =>
  op !== "delete" && now !== undefined && old !== undefined && samenessWithin(old, now) === "same";

const dataEffects: readonly Effect[] = ["selects", "collects", "describes", "distributes"];

const selectsData = ({ root }: Kind, path: Path) => {
  const effects = effectsAt(root, shownPath(path));
  return dataEffects.some((effect) => effects.has(effect));
};

/** The values of the fields with some options. What is hidden as a whole is the value of each field in it. */
function valuesIn(
  { root }: Kind,
  declared: JsonObject | undefined,
  has: (options: FieldOptions) => boolean,
): readonly Leaf[] {
  const valuesAt = (value: unknown, [step, ...rest]: Path, path: Path = []): readonly Omit<Leaf, "field">[] => {
    if (value === undefined || value === "") return [];
    if (step === undefined || isHidden(value)) return [{ path, value }];
    const all = stepsIn(value).filter(([key]) => step === "*" || step === key);
    return all.flatMap(([key, each]) => valuesAt(each, rest, [...path, key]));
  };
  const fields = scalarsOf(root).filter(({ field }) => has(field.options));
  return fields.flatMap(({ path, field }) => valuesAt(declared, path).map((each) => ({ ...each, field })));
}

/** The names that a resource publishes, without one that is or becomes a secret. */
function namesOf(kind: Kind, before: JsonObject | undefined, after: JsonObject | undefined) {
  const [old, now] = [before, after].map((side) => valuesIn(kind, side, ({ effect }) => effect === "publishes"));
  const [was, is] = [old ?? [], now ?? []];
  const namesIn = (places: readonly Leaf[]) =>
    places.flatMap(({ field, value }) =>
      isHidden(value) ? [] : ["", ...(field.options.suffixes ?? [])].map((suffix) => `${String(value)}${suffix}`),
    );
  const isHiddenIn = (places: readonly Leaf[]) => places.some(({ value }) => isHidden(value));
  const unclear = (is.length > 0 ? is : was)
    .filter(({ value }) => isHidden(value))
    .map(({ path, value }) => hiddenText(path, value));
  const known = { before: namesIn(was), after: namesIn(is), isHidden: isHiddenIn([...was, ...is]), unclear };
  if (is.some(({ value }) => value === masked)) return { ...known, before: [], after: [] };
  if (is.some(({ value }) => value === unknown)) return { ...known, after: known.before };
  return isHiddenIn(was) ? { ...known, before: known.after } : known;
}

function queriesOf(kind: Kind, declared: JsonObject | undefined) {
  const reads: NameMatchers[] = [];
  const absences: NameMatchers[] = [];
  const unclear: string[] = [];
  for (const place of valuesIn(kind, declared, ({ format }) => format === "promql")) {
    const found = isHidden(place.value) ? hiddenText(place.path, place.value) : metricsRead(String(place.value));
    const absent = metricsRead(String(place.value), true);
    if (typeof absent !== "string") absences.push(...absent);
    if (typeof found !== "string") reads.push(...found);
    else unclear.push(isHidden(place.value) ? found : `${formatPath(place.path)}: ${found}`);
  }
  return { reads, absences, unclear };
}
