import type { Effect } from "../../provider/schema/effect";
import { isWithin, overlaps, type Path } from "../../provider/schema/walk";
import type { JsonObject } from "../../provider/wire/json";
import { comparable } from "../meaning/comparable";
import { normalForm } from "../meaning/normalForm";
import { shownAt, type SecretPlaces } from "../meaning/hidden";
import { differingParts, leavesOf, orderOf, programPath, shownPath } from "../meaning/parts";
import type { Change } from "../preview/stackPreview";
import { differenceLines, sameMeaning } from "./differenceLines";
import { classOf } from "./classes";
import { rulesOf } from "./kinds/index";
import { classed, unheard } from "./kinds/rules";
import { hiddenPlaces, type ChangedPlace, placeFindings, partPlaces } from "./places";

/** The labels that are only text for people. */
export type TextLabels = ReadonlySet<string>;

/** Facts about a change in addition to its two sides. */
type Known = Pick<Change, "kind" | keyof SecretPlaces | "unknowns">;

/**
 * The consequences of a difference between two declarations, and a line for each place that differs, with the reason if it
 * has no consequence. The kind's rules have the best sentences. A difference that no rule covers is reported by the effect
 * of its field, so every difference is reported. Declarations that mean the same have no lines.
 */
export function comparisonOf(
  { kind, ...known }: Known,
  before: JsonObject,
  after: JsonObject,
  textLabels: TextLabels = new Set(),
  isTarget: (label: unknown) => boolean = () => false,
  rerouted?: string,
) {
  const { root, name } = kind;
  const sides = { root, before, after };
  const normal = normalForm(root, after);
  const { before: old, after: now } = comparable(root, normalForm(root, before), normal);
  const isText = (path: Path, effect: Effect) =>
    effect === "text" || (effect === "label" && textLabels.has(String(path.at(-1))));
  const parts = differingParts(root, old, now).map((part) => {
    const path = shownPath(programPath(root, part.path, after, normal));
    return { part, path, leaves: leavesOf(part), places: partPlaces(root, part, path, isText) };
  });
  const hidden = hiddenPlaces(sides, known);

  const rules = rulesOf(name);
  const written = { before, after, hidden: [...known.changedSecrets, ...known.unsureSecrets, ...known.unknowns] };
  const own = parts.length === 0 ? [] : rules.changed(old, now, written);
  const sameReceivers = rerouted === "" ? [[["labels"], "the same receivers are notified"] as const] : [];
  const idle = [...(rules.same?.(old, now, written) ?? []), ...sameReceivers];
  const reported = [...own.flatMap(({ at }) => at), ...idle.map(([at]) => at)];
  const open = parts.flatMap(({ places }) => places).filter(({ at }) => !at.some((path) => isWithin(path, reported)));
  const risky = [...open, ...hidden].filter(({ path, effect }) => !isText(path, effect));
  // A label that may name who is notified is not one of the "more places".
  const isFirst = ({ path, effect }: ChangedPlace) =>
    effect === "label" && (path.at(-1) === "notifier" || [before, after].some((side) => isTarget(shownAt(side, path))));
  const inOrder = risky.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  const [wasIdle, isIdle] = [old, now].map((side) => rules.idle?.(side) !== undefined);
  const isTold = risky.some(({ effect }) => classOf[effect]?.class === "routing") || isIdle;
  const findings = [
    ...own,
    ...placeFindings(inOrder, wasIdle && isIdle ? unheard : undefined, rerouted || undefined),
    ...(rerouted && !isTold ? [classed("routing", "unclear", `who is notified changes: ${rerouted}`)] : []),
  ];

  const covered = findings.flatMap(({ at }) => at);
  const reasonOf = ({ leaves, places }: (typeof parts)[number]) => {
    if (leaves.some((leaf) => overlaps(leaf, covered))) return undefined;
    if (places.length === 0) return textOnly;
    return idle.find(([at]) => leaves.some((leaf) => isWithin(leaf, [at])))?.[1] ?? sameMeaning;
  };
  const lines = differenceLines(
    sides,
    parts.map((each) => ({ path: each.part.isOrder ? orderOf(each.path) : each.path, reason: reasonOf(each) })),
    hidden.map((each) => ({ ...each, reason: isText(each.path, each.effect) ? textOnly : undefined })),
  );
  return { findings, lines };
}

const textOnly = "text only";
