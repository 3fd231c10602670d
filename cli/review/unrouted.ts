import { append } from "../../provider/base/grouped";
import { type Direction, type Risk, riskOf } from "../consequences/risk";
import { type Notified, silences } from "../consequences/notified";
import { plainly, quote } from "../output/words";
import { isOneService } from "./dependents";
import type { ReviewNote, StackReview } from "./review";
import type { Routes, RouteUser } from "./routes";

interface User extends RouteUser {
  readonly stack: string;
}

/** A notifier that a changed label names, and that only its service may know. */
export type Wanted = Pick<User, "stack" | "service"> & { readonly slug: string };

/** A route that a change loses or that never was: the risk, or what would have to be known. */
interface Gap {
  readonly risk: Risk;
  readonly wanted?: Wanted;
}

type Side = "before" | "after";

/** The monitors and SLOs that notify nobody after a change, as far as that can be known. */
export function unroutedIn(stacks: readonly StackReview[]) {
  const users = stacks.flatMap(({ stack, routes = [] }) => routes.map((each): User => ({ ...each, stack })));
  const known = notifiersIn(users, stacks);
  const gaps = users.flatMap((user) => gapsOf(user, known, users));
  const isPartial = stacks.some((each) => each.isPartial);
  const isUnseen = ({ wanted }: Gap) => isPartial && wanted !== undefined;
  const isLost = users.some((user) => user.before?.slugs?.some((slug) => known.lost(user, slug)));
  const notesOf = ({ stack, ...each }: StackReview): readonly ReviewNote[] => [
    ...(each.isPartial && (isLost || gaps.some(isUnseen)) ? [{ text: unseen }] : []),
    ...users.filter((user) => user.stack === stack).flatMap(hiddenNotes),
  ];
  return {
    risks: gaps.filter((gap) => !isUnseen(gap)).map(({ risk }) => risk),
    wanted: gaps.flatMap(({ wanted }) => wanted ?? []),
    notesOf,
  };
}

/** What a merge finds again. */
export const isUnseenNote = ({ text }: ReviewNote) => text === unseen;

const unseen =
  "could not check whom monitors and SLOs notify: unchanged resources are missing. Run the preview with --show-sames.";

const sideOf = ({ before, after, isUnchanged }: User, side: Side): Routes | undefined =>
  side === "after" || isUnchanged ? after : before;

/** Finds the notifiers of a service by their slugs. */
function notifiersIn(users: readonly User[], stacks: readonly StackReview[]) {
  const findIn = (side: Side) => {
    const bySlug = new Map<string, User[]>();
    for (const user of users) for (const slug of sideOf(user, side)?.slugs ?? []) append(bySlug, slug, user);
    return (of: User, slug: string) => bySlug.get(slug)?.find((each) => isOneService(each, of));
  };
  const [before, after] = [findIn("before"), findIn("after")];
  const asked = stacks.flatMap(({ askedNotifiers = [] }) => askedNotifiers);
  const answer = (of: User, slug: string) => asked.find((each) => each.slug === slug && isOneService(each, of));
  /** The notifier that the change removes or renames. */
  const lost = (of: User, slug: string) => (after(of, slug) ? undefined : before(of, slug));
  const has = (of: User, slug: string, side: Side) =>
    (side === "before" ? before : after)(of, slug) !== undefined ||
    (answer(of, slug)?.isThere === true && lost(of, slug) === undefined);
  /** Why an unknown slug may still be one. */
  const doubts = (of: User, slug: string): readonly string[] => {
    const { isThere, problem } = answer(of, slug) ?? {};
    return [
      ...users.flatMap((each) =>
        each.after?.slugs && each.after.hidden && isOneService(each, of)
          ? [`the slug of ${each.kind} ${each.name} is ${each.after.hidden}`]
          : [],
      ),
      ...stacks.flatMap(({ stack, isFailed }) => (isFailed ? [`the preview of ${stack} failed`] : [])),
      ...(isThere === undefined
        ? [`other notifiers of the service were not read${problem ? ` (${problem})` : ""}`]
        : []),
    ];
  };
  return { lost, has, doubts };
}

type Known = ReturnType<typeof notifiersIn>;

/**
 * The routes that a resource did not lack before the change.
 * @param all Among them, those whose label names a notifier show that the team routes by it.
 */
function gapsOf(user: User, { lost, has, doubts }: Known, all: readonly User[]): readonly Gap[] {
  const [before, after] = [sideOf(user, "before"), sideOf(user, "after")];
  if (after === undefined) return [];
  const { names = [], others = [], isOpen, hasPolicy, notified = [] } = after;
  const gap = (direction: Direction, text: string): Gap => ({
    risk: riskOf(user, { class: "unrouted", direction, text: plainly(text) }),
  });
  const wasLacking = (slug: string) => before?.names?.includes(slug) === true && !has(user, slug, "before");
  const lostText = (slug: string, { kind, name, stack, ...now }: User) => {
    const [other] = now.after?.slugs ?? [];
    const isRemoved = other === undefined && now.after?.hidden === undefined;
    const change = isRemoved ? "removed" : other === undefined ? "renamed" : `renamed to ${quote(other)}`;
    const where = stack === user.stack ? "" : ` of ${stack}`;
    return `the notifier ${quote(slug)}, which is ${change} (${kind} ${name}${where})`;
  };
  const silent = (text: string) =>
    hasPolicy
      ? gap("unclear", `${text}: may notify nobody, unless its notification policy does`)
      : gap("alerts-less", `${text}: nobody is notified by it`);
  const named = names.flatMap((slug): readonly Gap[] => {
    if (has(user, slug, "after") || wasLacking(slug)) return [];
    const gone = lost(user, slug);
    if (gone !== undefined) return [silent(`its label names ${lostText(slug, gone)}`)];
    const text = `its label names the notifier ${quote(slug)}, which no reviewed stack declares`;
    const [doubt] = doubts(user, slug);
    const { stack, service } = user;
    if (doubt !== undefined)
      return [{ ...gap("unclear", `${text}: may notify nobody, because ${doubt}`), wanted: { stack, service, slug } }];
    return [silent(`${text} and the service does not have`)];
  });
  const held = others.flatMap((slug) => {
    const gone = lost(user, slug);
    return gone ? [gap("unclear", `a label holds the slug of ${lostText(slug, gone)}: may notify nobody`)] : [];
  });
  const isNew = ({ severity, nobody }: Notified) =>
    !before?.notified?.some((old) => old.severity === severity && [nobody, "certain"].includes(old.nobody));
  const routed = silences(notified.filter(isNew)).map(({ isCertain, text }) =>
    gap(isCertain ? "alerts-less" : "unclear", text),
  );
  const it = names.length > 0 ? "one of its alerts" : "it";
  const lacking = "has neither a notification policy nor a label that names a notifier";
  const opened = () => {
    if (!isOpen || before?.isOpen) return [];
    if (before !== undefined) return [gap("alerts-less", `loses its last route: ${it} ${lacking}`)];
    if (names.length > 0) return [gap("unclear", `${it} ${lacking}: may notify nobody`)];
    const model = all.find((each) => each.after?.names !== undefined && isOneService(each, user));
    return model ? [gap("unclear", `${lacking}, as ${model.kind} ${model.name} has: may notify nobody`)] : [];
  };
  return [...named, ...held, ...routed, ...opened()];
}

/** What a changed label names, if it can't be read. */
function hiddenNotes({ kind, name, before, after, isUnchanged }: User): readonly ReviewNote[] {
  if (isUnchanged || after?.hidden === undefined || after.slugs || before?.hidden === after.hidden) return [];
  return [{ kind, name, text: `its notifier could not be checked: the label that names it is ${after.hidden}` }];
}
