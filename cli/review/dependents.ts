import { append } from "../../provider/base/grouped";
import { exactName, readerOf } from "../promql/metrics";
import { count, cutLine, listed, plainly, quote } from "../output/words";
import type { MetricUser } from "./metricUsers";
import { type Risk, riskOf } from "../consequences/risk";
import type { ReviewNote, StackReview } from "./review";

interface User extends MetricUser {
  readonly stack: string;
}

/** Metrics that a changed resource affects. */
interface Cause {
  readonly of: User;
  readonly names: readonly string[];
  /** The change of the metrics, and the consequence for their readers. */
  readonly text: string;
  /** Whether nothing of the review publishes them any longer. */
  readonly isLost: boolean;
}

interface Chain {
  /** A dependent, then the resources through which it depends, and at last the changed one. */
  readonly users: readonly [User, ...User[]];
  /** The metrics that the dependent reads of the next one. */
  readonly names: readonly string[];
}

/** The dependents of the metrics that a review changes, and those that could not be checked. */
export function dependentsIn(stacks: readonly StackReview[]) {
  const users = usersIn(stacks);
  const readers = readersIn(users);
  const causes = users.flatMap((user) => causesOf(user, users));
  const affects = (user: MetricUser) => causes.some(({ of }) => isOneService(of, user));
  const notesOf = ({ stack, metrics = [], isPartial }: StackReview): readonly ReviewNote[] => [
    ...(isPartial && causes.length > 0 ? [{ text: unseen }] : []),
    ...users.filter((user) => user.stack === stack).flatMap((user) => sharedNotes(user, users)),
    ...metrics.flatMap((user) => {
      const { kind, name, unclear } = user;
      if (unclear === undefined || !affects(user)) return [];
      return [{ kind, name, text: cutLine(plainly(`could not be checked for changed metrics: ${listed(unclear)}`)) }];
    }),
  ];
  return { risks: causes.flatMap((cause) => chainsOf(cause, readers).map((chain) => riskFrom(cause, chain))), notesOf };
}

/** The resources whose published metrics nothing in the stacks reads. */
export function unreadIn(stacks: readonly StackReview[]): readonly User[] {
  const users = usersIn(stacks);
  const readers = readersIn(users);
  return users.filter(({ after = [], ...user }) => after.length > 0 && readers(after, user).size === 0);
}

const usersIn = (stacks: readonly StackReview[]) =>
  stacks
    .flatMap(({ stack, metrics = [] }) => metrics.map((each): User => ({ ...each, stack })))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));

const unseen =
  "could not check what depends on the changed metrics: unchanged resources are missing. Run the preview with --show-sames.";

const sortKey = ({ kind, name, stack }: User) => JSON.stringify([kind, name, stack]);

/** Metrics and notifiers of two services have nothing in common. */
export const isOneService = (a: Pick<MetricUser, "service">, b: typeof a) =>
  a.service === b.service || a.service === "" || b.service === "";

function causesOf(user: User, users: readonly User[]): readonly Cause[] {
  const { before = [], after = [], change, isHidden } = user;
  const others = (names: readonly string[], isWanted: (other: User, name: string) => boolean) =>
    names.filter((name) => users.some((each) => each !== user && isOneService(each, user) && isWanted(each, name)));
  const left = before.filter((name) => !after.includes(name));
  const published = others(left, (other, name) => other.after?.includes(name) === true);
  // What another resource publishes newly is a cause of its own.
  const shared = others(
    published,
    ({ before = [], after = [] }, name) => before.includes(name) && after.includes(name),
  );
  const kept = after.filter((name) => before.includes(name));
  const lost = left.filter((name) => !published.includes(name));
  const added = after.filter((name) => !before.includes(name));
  const [now] = after;
  const cause = (names: readonly string[], text: string, isLost = false): readonly Cause[] =>
    names.length === 0 ? [] : [{ of: user, names, text, isLost }];
  return [
    ...cause(lost, `which is ${now === undefined ? "removed" : `renamed to ${quote(now)}`}: may find no data`, true),
    ...cause([...(change === "data" ? kept : []), ...shared], "which changes: may read other data"),
    ...cause(added, "which is newly published: may find other data"),
    // Nobody can be found who reads a hidden name, but that must be reported.
    ...(isHidden && change === "data" ? [{ of: user, names: [], text: "", isLost: false }] : []),
  ];
}

/** The metrics that a changed resource publishes like another one, in its stack or in another stack. */
function sharedNotes(user: User, users: readonly User[]): readonly ReviewNote[] {
  const { stack, kind, name, change, after = [] } = user;
  if (change === undefined) return [];
  return users.flatMap((other) => {
    const shared = after.find((metric) => other.after?.includes(metric));
    if (other === user || shared === undefined || !isOneService(user, other)) return [];
    const where = other.stack === stack ? "" : ` in the stack ${quote(other.stack)}`;
    const text = `publishes ${quote(shared)}, as does ${other.kind} ${other.name}${where}: queries read the data of both`;
    return [{ kind, name, text: cutLine(plainly(text)) }];
  });
}

/** Finds the resources that read a metric of a service. */
function readersIn(users: readonly User[]) {
  const exact = new Map<string, User[]>();
  const others: { readonly user: User; readonly reads: (name: string) => boolean }[] = [];
  for (const user of users) {
    for (const matchers of user.reads ?? []) {
      const name = exactName(matchers);
      if (name === undefined) others.push({ user, reads: readerOf(matchers) });
      else append(exact, name, user);
    }
  }
  return (names: readonly string[], publisher: User): ReadonlySet<User> => {
    const found = names.flatMap((name) => [
      ...(exact.get(name) ?? []),
      ...others.flatMap(({ user, reads }) => (reads(name) ? [user] : [])),
    ]);
    return new Set(found.filter((user) => isOneService(user, publisher)));
  };
}

/** The shortest way from each dependent to the cause. */
function chainsOf({ of, names, isLost }: Cause, readers: ReturnType<typeof readersIn>): readonly Chain[] {
  const seen = new Set([of]);
  const found: Chain[] = [];
  let next: Chain[] = [{ names, users: [of] }];
  while (next.length > 0) {
    const last = next;
    next = [];
    for (const { names, users } of last) {
      for (const user of readers(names, users[0])) {
        // What changes itself is reported by its own change, except if it still reads what is lost.
        const isReported = user.change !== undefined;
        if (seen.has(user) || (isReported && !(isLost && users.length === 1))) continue;
        seen.add(user);
        found.push({ names, users: [user, ...users] });
        const kept = (user.after ?? []).filter((name) => user.before?.includes(name));
        if (!isReported) next.push({ names: kept, users: [user, ...users] });
      }
    }
  }
  return found;
}

function riskFrom({ names, text, isLost }: Cause, chain: Chain): Risk {
  const [user] = chain.users;
  const { stack, absences = [] } = user;
  const isAbsent = isLost && absences.some((matchers) => chain.names.some(readerOf(matchers)));
  const path = chain.users.map((each) => {
    const where = each.stack === stack ? "" : ` (${each.stack})`;
    return plainly(`${each.kind} ${each.name}${where}`);
  });
  // A step in the middle has its own sentence, with the rest of the path.
  const shown = path.length > 6 ? [...path.slice(0, 3), count(path.length - 5, "more step"), ...path.slice(-2)] : path;
  const found = `depends on ${quote(names[0] ?? "")}, ${text}${isAbsent ? ", and may fire for that reason" : ""} (${shown.join(" → ")})`;
  return { ...riskOf(user, { class: "query", direction: "unclear", text: found }), path };
}
