import { entries, type JsonObject } from "../../provider/wire/json";
import { rulesOf } from "../consequences/kinds/index";
import type { ComparedSides } from "../consequences/risks";
import { alertingOf } from "../consequences/alerting";
import type { Notified } from "../consequences/notified";
import { legible } from "../meaning/comparable";
import { hiddenWord, isHidden } from "../meaning/hidden";
import type { Change } from "../preview/stackPreview";
import type { KnownRouting } from "../source/routes";

/** One side of a resource that notifies or delivers. Contains no secret. */
export interface Routes {
  /** Of a notifier: its slugs. A retained one keeps the slug that it had. */
  readonly slugs?: readonly string[];
  /** The notifiers that labels name. */
  readonly names?: readonly string[];
  /** The values of other labels, which may hold a slug too. */
  readonly others?: readonly string[];
  readonly hasPolicy?: true;
  /** Whether it has neither a policy nor a label that names a notifier. */
  readonly isOpen?: true;
  /** With `--routes`: who is notified by its alerts. */
  readonly notified?: readonly Notified[];
  /** Why a slug or a label can't be read. */
  readonly hidden?: string;
}

/** Whom a monitor or an SLO notifies, or the slug of a notifier. */
export interface RouteUser {
  readonly kind: string;
  /** The Pulumi name. */
  readonly name: string;
  /** The URL of the service; `""` if the preview does not show it. */
  readonly service: string;
  /** The side before a change; absent for a new resource, and for an unchanged one. */
  readonly before?: Routes;
  /** Absent for a resource that notifies and delivers nothing. */
  readonly after?: Routes;
  readonly isUnchanged?: true;
}

/** What a service answered about a notifier that no stack of the review declares. */
export interface AskedNotifier {
  readonly service: string;
  readonly slug: string;
  /** Absent if it could not be read. */
  readonly isThere?: boolean;
  /** Why it could not be read. */
  readonly problem?: string;
}

/** The routes of a resource that alerts, or the slugs of one that delivers; empty for others. */
export function routeUsersOf(change: Change, compared: ComparedSides, known: KnownRouting = {}): readonly RouteUser[] {
  const { kind, name, objects, op } = change;
  const of = (args: JsonObject | undefined) => args && routesOf(change, args, known);
  const { alerting, delivers } = rulesOf(kind.name);
  if (!alerting && !delivers) return [];
  const before = delivers ? slugsOf(objects.old?.slug) : of(change.before ?? compared?.before);
  const after = delivers ? slugsAfter(change) : of(change.after);
  const service = (objects.new ?? objects.old)?.service ?? "";
  const about = { kind: kind.name, name, service, ...(after && { after }) };
  return [op === "same" ? { ...about, isUnchanged: true } : { ...about, ...(before && { before }) }];
}

const slugsOf = (...slugs: readonly (string | undefined)[]): Routes => ({ slugs: slugs.flatMap((each) => each ?? []) });

function slugsAfter({ after, objects, isRetained }: Change): Routes {
  const kept = slugsOf(objects.new?.slug, isRetained ? objects.old?.slug : undefined);
  return after !== undefined && objects.new === undefined ? { ...kept, hidden: hiddenWord(after.slug) } : kept;
}

function routesOf(change: Change, args: JsonObject, known: KnownRouting): Routes | undefined {
  const found = alertingOf(change, args, known);
  // Nothing routes what never fires.
  const isIdle = rulesOf(change.kind.name).idle?.(legible(change.kind.root, args)) !== undefined;
  if (found === undefined || isIdle) return undefined;
  const { names, policy, isOpen, notified } = found;
  const said = (values: readonly unknown[]) => [
    ...new Set(values.filter((each) => typeof each === "string" && !isHidden(each)).map(String)),
  ];
  const [named, others] = [said(names), said(Object.values(entries(args.labels)))];
  // Who is notified besides may be hidden in an alert.
  const hidden = named.length > 0 ? undefined : names.find(isHidden);
  const rest = others.filter((each) => !named.includes(each));
  return {
    ...(named.length > 0 && { names: named }),
    ...(rest.length > 0 && { others: rest }),
    ...(policy ? { hasPolicy: true } : {}),
    ...(isOpen && { isOpen }),
    ...(notified.length > 0 && { notified }),
    ...(hidden !== undefined && { hidden: hiddenWord(hidden) }),
  };
}
