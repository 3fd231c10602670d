import { count, listed, plainly, quote } from "../output/words";
import { riskClasses, verbs } from "../consequences/risk";
import { type IncidentsText, incidentsText } from "../backtest/incidentText";
import type { ChangeReview, Review, StackReview, Unmanaged, UnmanagedObject } from "./review";

/** `Observability review: 5 risks in 2 of 3 stacks` */
export function reviewTitle(report: Review): string {
  const { command, stacks, risks, violations, unmanaged, accepted } = report;
  // An object may have two risks.
  const differing = stacks.flatMap(({ stack, changes }) => changes.map(() => ({ stack })));
  const failed = stacks.filter(({ isFailed }) => isFailed);
  const unchecked = stacks.filter(({ isFailed, failures }) => !isFailed && failures.length > 0);
  const found = [
    ...(command === "drift" ? countIfAny(differing, "object differs", "objects differ") : countIfAny(risks, "risk")),
    ...countIfAny(accepted?.risks ?? [], "accepted risk"),
    ...countIfAny(violations, "broken standard"),
    ...countIfAny(failed, "failed preview"),
    ...countIfAny(unchecked, "stack not fully checked", "stacks not fully checked"),
  ];
  const touched = new Set(
    [...allRisks(report), ...(command === "drift" ? differing : []), ...violations, ...failed, ...unchecked].map(
      ({ stack }) => stack,
    ),
  );
  const none = command === "drift" ? "none" : "no risk found";
  const where = `in ${found.length === 0 || touched.size === stacks.length ? "" : `${touched.size} of `}${count(stacks.length, "stack")}`;
  const others = unmanaged === undefined ? "" : `; ${unmanagedCount(unmanaged)}`;
  return `Observability ${command}: ${found.length === 0 ? none : listed(found)} ${where}${others}`;
}

export const allRisks = ({ risks, accepted }: Review) => [...risks, ...(accepted?.risks ?? [])];

/** Their number, if there are any. */
const countIfAny = (all: readonly unknown[], ...names: readonly [one: string, many?: string]) =>
  all.length === 0 ? [] : [count(all.length, ...names)];

/** `2 objects that no stack declares`; if there are none and not all could be listed, the number is unknown. */
const unmanagedCount = ({ objects, gaps }: Unmanaged): string =>
  objects.length === 0 && gaps.length > 0
    ? "objects that no stack declares: unknown"
    : `${objects.length === 0 ? "no object" : count(objects.length, "object")} that no stack declares`;

/** The incidents of all stacks; undefined if the review has none. */
export function incidentsIn({ stacks }: Review): IncidentsText | undefined {
  const all = stacks.flatMap(({ incidents }) => (incidents ? [incidents] : []));
  return incidentsText(all.length === 0 ? undefined : all.flat());
}

/** The origin of an object: its name, creation time and service. */
export const objectOrigin = ({ name, createdAt, service, doubt }: UnmanagedObject): string =>
  [
    ...(name === undefined ? [] : [quote(name)]),
    ...(createdAt === undefined ? [] : [`created ${createdAt}`]),
    `in ${service}`,
    ...(doubt === undefined ? [] : [`but ${doubt}`]),
  ].join(", ");

/** `removed: 2, threshold: 3`, worst first; empty if there is no risk. */
export const classCounts = ({ risks }: Review): string =>
  riskClasses
    .map((each) => [each, risks.filter((risk) => risk.class === each).length] as const)
    .filter(([, number]) => number > 0)
    .map(([each, number]) => `${each}: ${number}`)
    .join(", ");

/** `2 to create, 1 to delete`, `nothing changes, not fully checked`, or `failed`. */
export function changeCounts(
  { isFailed, failures, changes, others, oldViolations }: StackReview,
  command: Review["command"],
): string {
  const words = command === "drift" ? driftVerbs : Object.values(verbs).map((verb) => `to ${verb}`);
  const wordOf = (change: ChangeReview) => (command === "drift" ? driftVerb(change) : `to ${verbs[change.op]}`);
  const counts = words.flatMap((word) => {
    const number = changes.filter((change) => wordOf(change) === word).length;
    return number === 0 ? [] : [`${number} ${word}`];
  });
  const all = [
    ...counts,
    ...countIfAny(others, "other resource"),
    ...(oldViolations === 0 ? [] : [`${count(oldViolations, "standard")} already broken before`]),
  ];
  if (isFailed) return all.length === 0 ? "failed" : `failed, incomplete: ${all.join(", ")}`;
  return [
    ...(all.length === 0 ? ["nothing changes"] : all),
    ...(failures.length === 0 ? [] : ["not fully checked"]),
  ].join(", ");
}

const driftVerbs = ["deleted", "edited"] as const;

const driftVerb = ({ isDeleted }: ChangeReview): (typeof driftVerbs)[number] => (isDeleted ? "deleted" : "edited");

const signs: Readonly<Record<ChangeReview["op"], string>> = { create: "+", update: "~", replace: "±", delete: "-" };

/** The changes of a stack: what is new, one line for each difference, and the backtest of a changed monitor. */
export const changeLines = ({ changes, others }: StackReview, command: Review["command"]): readonly string[] => [
  ...changes.flatMap((change) => {
    const { op, kind, name, summary, notified = [], differences, backtest } = change;
    const verb = command === "drift" ? `! ${driftVerb(change)}` : `${signs[op]} ${verbs[op]}`;
    const own = [
      ...(summary === undefined ? [] : [summary]),
      ...differences,
      ...notified.map((line) => `notifies ${line}`),
      ...(backtest === undefined ? [] : [backtest.sentence, ...(backtest.notes ?? [])].map(plainly)),
    ];
    return [`${verb} ${kind} ${plainly(name)}`, ...own.map((text) => `    ${text}`), ...(backtest?.picture ?? [])];
  }),
  ...others.map((other) => `* ${other}`),
];
