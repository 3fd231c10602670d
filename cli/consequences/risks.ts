import type { NoteCode } from "../../provider/lifecycle/notes/notes";
import { formatPath } from "../../provider/schema/walk";
import type { JsonObject } from "../../provider/wire/json";
import type { Route } from "../source/routes";
import { firstOf, listed, plainly, quote } from "../output/words";
import { doubtText, samenessWithin, type StackObject } from "../../sdk/engine/objects";
import { comparisonOf, type TextLabels } from "./changed";
import { sameMeaning } from "./differenceLines";
import { type Change, type PreviewMessage, type StackPreview, withoutIgnoredEdits } from "../preview/stackPreview";
import { rulesOf } from "./kinds/index";
import { isEquivalentInReview } from "../meaning/normalForm";
import { notifiedBy } from "./alerting";
import { notifiedLines, reroutedText } from "./notified";
import { renameFinding, renamesIn } from "./renames";
import { type Finding, type Risk, riskOf, commonDirection } from "./risk";
import { secretPlaces } from "../meaning/hidden";
import { changeText } from "./values";

/** The risks of one of a preview's changes. */
export function risksOfChange(
  change: Change,
  preview: StackPreview,
  textLabels?: TextLabels,
  compared = comparedWith(change, preview, textLabels),
): readonly Risk[] {
  const { kind, name, slug = "", isImported } = change;
  const adopts = `adopts ${kind.existingTitleOf(slug)} (import)`;
  const findings: readonly Finding[] = [
    ...findingsOf(change, preview, compared?.findings),
    ...driftFindings(change, textLabels),
    ...messageFindings(change, preview.messages),
    ...(isImported ? [{ class: "adopts", direction: "unclear", text: adopts } as const] : []),
  ];
  const about = { stack: preview.stack, kind: kind.name, name };
  return findings.map((finding) => riskOf(about, finding));
}

function findingsOf(change: Change, preview: StackPreview, changed?: readonly Finding[]): readonly Finding[] {
  const { op } = change;
  const { from, gone } = renamesIn(preview);
  if (gone.has(change)) return [];
  const lost = ["delete", "replace"].includes(op) ? lostFindings(change, preview) : [];
  if (changed === undefined) return lost;
  const old = from.get(change);
  if (op !== "replace" && old === undefined) return changed;
  const others = changed.filter((each) => each.class !== "replaced");
  if (old !== undefined) return [renameFinding(change, old), ...others];
  return [{ class: "replaced", direction: "unclear", text: replacedText(change) }, ...lost, ...others];
}

/** The earlier version of a changed object, and the consequences of the difference; undefined for a new or unchanged one. */
export function comparedWith(change: Change, preview: StackPreview, textLabels?: TextLabels, routes?: Route) {
  const { op, before, after, drift } = change;
  // What the engine calls unchanged is unchanged, even if it masks a value on one side only.
  if (after === undefined || (op === "same" && drift === undefined)) return undefined;
  const renamed = renamesIn(preview).from.get(change)?.before;
  const old = before ?? movedFrom(change, preview) ?? renamed;
  if (old === undefined) return undefined;
  const declared = drift === undefined ? after : withoutIgnoredEdits(change, after);
  // The engine reports no changed places for an object that moves.
  const secrets = before === undefined ? secretPlaces(old, after, undefined) : change;
  const isTarget = (slug: unknown) =>
    preview.changes.some(
      ({ kind, objects }) => rulesOf(kind.name).delivers && (objects.old ?? objects.new)?.slug === slug,
    );
  const isRenamed = renamed !== undefined;
  const [now = [], was = []] = [declared, old].map((side) => notifiedBy(change, side, routes));
  const known = { ...change, ...secrets };
  const found = comparisonOf(known, old, declared, textLabels, isTarget, reroutedText(now, was));
  return { before: old, isRenamed, notified: notifiedLines(now, was), ...found };
}

export type ComparedSides = ReturnType<typeof comparedWith>;

/** Every difference of a change, one line for each: `labels.team: "a" → "b"`. */
export function differenceLines(change: Change, compared: ComparedSides, textLabels?: TextLabels): readonly string[] {
  const { op, before, after, drift } = change;
  // After a refresh the engine compares with what the service has.
  const old = drift === undefined ? before : drift.actual;
  if (compared?.isRenamed) return compared.lines;
  if (op === "create" || op === "delete" || old === undefined || after === undefined) return [];
  const { lines } = (drift === undefined && compared) || comparisonOf(change, old, after, textLabels);
  return lines.length === 0 ? [sameMeaning] : lines;
}

/** What an edit outside Pulumi changes, and what that means for people; undefined without one. */
export function edited({ kind, before, drift }: Change, textLabels?: TextLabels) {
  if (drift?.actual === undefined || before === undefined) return undefined;
  const { actual, secrets } = drift;
  return comparisonOf({ kind, changedSecrets: secrets, unsureSecrets: [], unknowns: [] }, before, actual, textLabels);
}

/** The consequence for an object that the resource no longer has. */
function lostFindings(
  { kind, op, before, objects: { old }, isRetained, isOnlyRead }: Change,
  { changes }: StackPreview,
): readonly Finding[] {
  const declared = changes.flatMap((each) => {
    const object = each.op === "delete" ? undefined : each.objects.new;
    if (old === undefined || object === undefined) return [];
    return [{ name: each.name, object, is: samenessWithin(old, object) }];
  });
  // The provider does not delete an object that the program declares elsewhere.
  if (declared.some(({ is }) => is === "same")) return [];
  const unsure = declared.find(({ is }) => is === "unknown");
  const doubt =
    old && unsure
      ? plainly(`; ${quote(unsure.name)} declares an object with this slug: ${doubtText(old, unsure.object)}`)
      : "";
  if (isRetained) {
    const text = `the ${kind.title} ${quote(old?.slug ?? "")} stays in the service, but this stack no longer manages it (${isOnlyRead ? ".get" : "retainOnDelete"})${doubt}`;
    return [{ class: "retained", direction: "unclear", text }];
  }
  // A replacement has its own finding.
  if (op === "replace") return [];
  const { removed, idle, isRemovalUnclear } = rulesOf(kind.name);
  const unused = before && idle?.(before);
  const direction = unused !== undefined || isRemovalUnclear ? "unclear" : "alerts-less";
  return [
    { class: "removed", direction, text: `the ${kind.title} is removed: ${unused ? `it ${unused}` : removed}${doubt}` },
  ];
}

/** The recorded arguments of the resource from which this one gets its object within the program. */
function movedFrom({ objects }: Change, { changes }: StackPreview): JsonObject | undefined {
  const isMoved = (old: StackObject | undefined) =>
    old !== undefined && objects.new !== undefined && samenessWithin(old, objects.new) === "same";
  return changes.find((each) => each.op === "delete" && isMoved(each.objects.old))?.before;
}

function replacedText({ kind, before, after, isDeletedFirst, isRetained }: Change): string {
  const [old, now] = [before?.slug, after?.slug];
  const gap = "there is no alerting in between";
  if (old === now) return `the ${kind.title} is deleted and recreated: ${gap}`;
  const [what, end] = isDeletedFirst && !isRetained ? ["deleted and recreated", `${gap}, and `] : ["replaced", ""];
  return `the ${kind.title} is ${what}, because its slug changes ${changeText(old, now)}: ${end}references to the old object no longer resolve`;
}

/** Edits made outside Pulumi, and what an update does with them. */
function driftFindings(change: Change, textLabels?: TextLabels): readonly Finding[] {
  const { kind, before, after, drift } = change;
  if (drift === undefined || before === undefined) return [];
  if (drift.actual === undefined) {
    const end = after === undefined ? "" : `: "pulumi up --refresh" recreates it`;
    return [
      { class: "drift", direction: "alerts-less", text: `the ${kind.title} no longer exists in the service${end}` },
    ];
  }
  const { findings = [], lines = [] } = edited(change, textLabels) ?? {};
  const direction = commonDirection(findings.map((each) => each.direction)) ?? "unclear";
  // A change of text has no finding. One colon is enough for a sentence.
  const meant = findings.map(({ text }) => text.replace(/: ([^:]*)$/, ", $1")).join("; ");
  const words = meant || listed(firstOf(lines));
  const text = `edited outside Pulumi: ${words || "a secret may have changed"}; ${winner(change, before, drift.actual)}`;
  return [{ class: "drift", direction, text }];
}

/** The effect of an update on an edit: it writes what the program declares. */
function winner(change: Change, before: JsonObject, actual: JsonObject): string {
  const { op, after, drift, unsureSecrets } = change;
  const isSame = (a: unknown, b: unknown) => isEquivalentInReview(change.kind.root, a, b);
  if (op === "delete" || after === undefined) return "the update deletes the object anyway";
  const hides = drift !== undefined && drift.secrets.length > 0;
  const others = withoutIgnoredEdits(change, actual);
  if (!hides && isSame(others, before)) return "the program ignores the edit (ignoreChanges)";
  const except = isSame(others, actual) ? "" : ", except for what it ignores (ignoreChanges)";
  if (isSame(actual, after) && !(hides && unsureSecrets.length > 0))
    return `the program now declares the same${except}`;
  // The engine does not tell whether the program changes the secret too.
  const isReverted = !hides && isSame(before, withoutIgnoredEdits(change, after));
  if (isReverted) return `"pulumi up --refresh" reverts the edit${except}`;
  return `"pulumi up --refresh" overwrites it with what the program declares${except}`;
}

/** The risks that the provider's messages about a resource report. */
function messageFindings(change: Change, messages: readonly PreviewMessage[]): readonly Finding[] {
  const { kind, slug, urn, unknowns } = change;
  // A rejection by the service is an error, not a risk.
  const about = messages.filter((message) => message.about?.urn === urn && message.severity !== "error");
  const told = about.flatMap(({ text, code }): readonly Finding[] => {
    // The engine shows a secret as a secret, even if it is unknown: then only the provider reports that.
    const isHidden = code === "known-later" && unknowns.length === 0;
    const riskClass = isHidden ? "unvalidated" : code && classes[code];
    if (riskClass === undefined) return [];
    const direction = riskClass === "drift" ? "alerts-less" : "unclear";
    // The sentence begins with the name.
    const title = `${kind.titleOf(slug ?? "")} `;
    return [{ class: riskClass, direction, text: plainly(text.startsWith(title) ? text.slice(title.length) : text) }];
  });
  if (unknowns.length === 0) return told;
  const places = listed(firstOf(unknowns.map((path) => plainly(formatPath(path)))));
  const text = `not validated yet: ${places} ${unknowns.length === 1 ? "is" : "are"} known only after the update`;
  return [...told, { class: "unvalidated", direction: "unclear", text }];
}

/** The class of risk that a note of the provider reports. */
const classes: Readonly<Partial<Record<NoteCode, "adopts" | "drift" | "unvalidated">>> = {
  adopts: "adopts",
  gone: "drift",
  "not-validated": "unvalidated",
};

/** Whether a message is already reported as a risk. Values that are known only after the update are found in the change itself. */
export const isRisk = ({ code, about }: PreviewMessage) =>
  code === "known-later" || (about !== undefined && code !== undefined && classes[code] !== undefined);
