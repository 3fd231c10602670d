import { isDeepStrictEqual } from "node:util";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf, listed } from "../../output/words";
import { addressesIn } from "../../equality/normal/formats";
import type { LocatedFinding } from "../risk";
import { valueText } from "../values";
import { classed, rulesFor, sided, tending, unheard } from "./rules";

type Notifier = Resources["Notifier"];

const receivers: readonly (keyof Notifier)[] = ["email", "oncallA", "oncallB", "oncallC", "chat", "webhook"];

export const notifier = rulesFor("Notifier", {
  removed: "it no longer delivers notifications",
  idle: ({ discard }) => (discard === true ? "it discarded every notification" : undefined),
  delivers: (notifier) => {
    const { email, chat, oncallA } = notifier;
    const people: Readonly<Record<string, readonly unknown[]>> = {
      email: [email?.to],
      chat: [chat?.channel],
      oncallA: (oncallA?.responders ?? []).map(({ name, username, id }) => name ?? username ?? id),
    };
    return receiversOf(notifier).map((receiver) => {
      const named = (people[receiver] ?? []).filter((each) => each !== undefined && each !== "");
      return [receiver, ...(named.length === 0 ? [] : [listed(named.map(valueText))])].join(": ");
    });
  },
  gap: ({ discard }) => (discard === true ? "discards every notification" : undefined),
  changed: (before, after) => [
    ...receiverFindings(before, after),
    ...peopleFindings(before, after),
    ...(isUnheard(before, after) ? [] : resolvedFindings(before, after)),
  ],
  end: (before, after) => (isUnheard(before, after) ? unheard : undefined),
});

const isUnheard = (before: Notifier, after: Notifier) => before.discard === true && after.discard === true;

function receiverFindings(before: Notifier, after: Notifier): readonly LocatedFinding[] {
  const [was, is] = [before.discard === true, after.discard === true];
  const [old, now] = [receiversOf(before), receiversOf(after)];
  const [gone, added] = [old.filter((name) => !now.includes(name)), now.filter((name) => !old.includes(name))];
  const lost = gone.map((name) => [name]);
  const at = [...lost, ...added.map((name) => [name])];
  if (!was && is) return [classed("discard", "alerts-less", "now discards every notification", [["discard"], ...lost])];
  if (was && !is) {
    const text = `delivers notifications again${at.length === 0 ? "" : `, by ${namesText(now)}`}`;
    return [classed("discard", "alerts-more", text, [["discard"], ...at])];
  }
  const text = `delivers by ${namesText(old)} → ${namesText(now)}`;
  if (is) return at.length === 0 ? [] : [classed("receiver", "unclear", `${text}: ${unheard}`, at)];
  return tending("receiver", sided(gone.length > 0, added.length > 0), text, now.length === 0 ? noOne : ends, at);
}

const ends = {
  "alerts-less": "may notify fewer people",
  "alerts-more": "may notify more people",
  unclear: "may notify other people",
};
const noOne = { ...ends, "alerts-less": "nobody is notified" };

/** People who are only removed or only added. The fields' effects name any other change. */
function peopleFindings(before: Notifier, after: Notifier): readonly LocatedFinding[] {
  // Nobody loses or gains what is discarded.
  if (before.discard === true || after.discard === true) return [];
  return peopleIn(before).flatMap(({ at, people: old }, i) => {
    const now = peopleIn(after)[i]?.people;
    if (old === undefined || now === undefined) return [];
    const [lost, gained] = [without(old, now), without(now, old)];
    const direction = sided(lost.length > 0, gained.length > 0);
    const text = `${at.join(".")} ${listed(firstOf([...lost, ...gained].map(valueText)))} ${direction === "alerts-less" ? "removed" : "added"}`;
    return direction === "unclear" ? [] : tending("receiver", direction, text, ends, [at]);
  });
}

/** The people of each receiver; undefined without the receiver, or if they can't be distinguished. */
const peopleIn = ({ email, oncallA }: Notifier) => [
  { at: ["email", "to"], people: email?.to === undefined ? undefined : addressesIn(email.to) },
  { at: ["oncallA", "responders"], people: oncallA && (oncallA.responders ?? []) },
];

const without = (all: readonly unknown[], others: readonly unknown[]) =>
  all.filter((each) => !others.some((other) => isDeepStrictEqual(each, other)));

const receiversOf = (notifier: Notifier) => receivers.filter((name) => notifier[name] !== undefined);

const namesText = (names: readonly string[]) => (names.length === 0 ? "(not set)" : listed(names));

function resolvedFindings({ skipResolved: was = false }: Notifier, { skipResolved: is = false }: Notifier) {
  if (was === is) return [];
  const text = is
    ? "no longer sends a notification when an alert resolves"
    : "sends a notification again when an alert resolves";
  return [classed("delivery", is ? "alerts-less" : "alerts-more", text, [["skipResolved"]])];
}
