import type * as pulumi from "@pulumi/pulumi";
import type * as obs from "pulumi-observability";
import type { Direction, RiskClass as Known } from "../../../dist/cli/stacks/risk.js";

interface Arguments {
  readonly CloudxMetricsIntegration: obs.CloudxMetricsIntegrationArgs;
  readonly Dataset: obs.DatasetArgs;
  readonly DerivedMetric: obs.DerivedMetricArgs;
  readonly LogAllocationConfig: obs.LogAllocationConfigArgs;
  readonly Monitor: obs.MonitorArgs;
  readonly Notifier: obs.NotifierArgs;
  readonly SLO: obs.SLOArgs;
  readonly TraceMetricsRule: obs.TraceMetricsRuleArgs;
}

export type KindName = keyof Arguments;
/** The arguments of a kind, without outputs and promises. */
type Args<K extends KindName> = pulumi.Unwrap<Arguments[K]>;
type Json = Readonly<Record<string, unknown>>;

/** What is laid over arguments: objects entry by entry, everything else whole; `undefined` takes an entry away. */
type Patch<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Patch<T[K]> | undefined } : T;

// The classes of the documentation, also those that the code does not have yet.
export type RiskClass =
  | Known
  | "routing-changed"
  | "grouping-changed"
  | "credentials-changed"
  | "delivery-changed"
  | "collection-narrowed"
  | "precedence-changed";

/** What the review has to say of a change: one risk of these classes, in one of these directions, with all these words. */
export interface Named {
  readonly classes: readonly RiskClass[];
  readonly directions: readonly Direction[];
  readonly words: readonly string[];
  /** Set if honest people differ on whether it is worth a word. */
  readonly isOptional?: boolean;
}

/** The options of a resource, before or after the change. */
export interface Options {
  readonly retainOnDelete?: true;
  /** Only read, by the class's `get`. */
  readonly get?: true;
  readonly adopt?: true | "identical";
  readonly ignoreChanges?: readonly string[];
  /** The resource has another Pulumi name, and its first one as alias. */
  readonly isRenamed?: true;
}

/** A change of one resource that someone proposes, and what a review has to say of it. */
export interface Trial {
  /** A sentence of what the change does. */
  readonly title: string;
  readonly kind: KindName;
  /** What the last update wrote; undefined if the change creates it. */
  readonly before?: Json | undefined;
  /** What the program declares now; undefined if it no longer does. */
  readonly after?: Json | undefined;
  /** Nothing if the change means nothing. */
  readonly named: readonly Named[];
  /** Words that no sentence may have: of what did not change. */
  readonly hidden?: readonly string[];
  readonly optionsBefore?: Options;
  readonly optionsAfter?: Options;
  /** The object that somebody has made at the service before, as the service takes it; its slug is that of `after`. */
  readonly byHand?: Json;
}

type More = Omit<Trial, "title" | "kind" | "before" | "after" | "named">;

const many = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value]) as readonly T[];

/** Every direction, if nobody can say which one is right. */
export const any: readonly Direction[] = ["laxer", "stricter", "unclear"];

export const named = (
  classes: RiskClass | readonly RiskClass[],
  directions: Direction | readonly Direction[],
  ...words: readonly string[]
): Named => ({ classes: many(classes), directions: many(directions), words });

/** Worth a word or not: if it is named, then so. */
export const orSilent = (risk: Named): Named => ({ ...risk, isOptional: true });

/** @returns a function that makes the trials which begin with these arguments */
export function edits<K extends KindName>(kind: K, base: Args<K>) {
  const edit = (title: string, change: Patch<Args<K>>, ...risks: readonly Named[]): Trial => ({
    title,
    kind,
    before: base as Json,
    after: patched(base, change) as Json,
    named: risks,
  });
  /** The same from arguments that differ from the first ones. */
  const from = (change: Patch<Args<K>>) => edits(kind, patched(base, change));
  /** A change with options, or of a whole resource. */
  const full = (
    title: string,
    sides: { readonly before?: Patch<Args<K>>; readonly after?: Patch<Args<K>> },
    more: More,
    ...risks: readonly Named[]
  ): Trial => ({
    title,
    kind,
    ...(sides.before && { before: patched(base, sides.before) as Json }),
    ...(sides.after && { after: patched(base, sides.after) as Json }),
    named: risks,
    ...more,
  });
  return Object.assign(edit, { from, full });
}

function patched<T>(value: T, change: unknown): T {
  if (!isObject(value) || !isObject(change) || isMarked(change)) return change as T; // of the same type, by `Patch`
  const entries = Object.entries(change).map(([key, each]) => [key, patched(value[key], each)] as const);
  const all = Object.entries({ ...value, ...Object.fromEntries(entries) });
  return Object.fromEntries(all.filter(([, each]) => each !== undefined)) as T;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How the program, which reads JSON, is told of a value that is not plain. */
export const marks = ["$secret", "$later", "$known"] as const;
export type Mark = (typeof marks)[number];
const isMarked = (value: object) => marks.some((mark) => mark in value);

// Typed as what they stand for, so that arguments stay typed.
const marked =
  (mark: Mark) =>
  <T>(value: T): T =>
    ({ [mark]: value }) as T;

/** A secret of the program, by `pulumi.secret`. */
export const secret = marked("$secret");
/** A value that comes from a resource which the change creates: the preview does not know it. */
export const later = marked("$later");
/** An output whose value the preview knows. */
export const known = marked("$known");
