import { isDeepStrictEqual } from "node:util";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf, listed } from "../../output/words";
import { addressesIn } from "../../meaning/formats";
import type { LocatedFinding } from "../risk";
import { shownAt } from "../../meaning/hidden";
import { changeText, valueText } from "../values";
import { classed, growing, rulesFor, sided, tending, unheard } from "./rules";

type Notifier = Resources["Notifier"];

const receivers: readonly (keyof Notifier)[] = ["email", "oncallA", "oncallB", "oncallC", "chat", "webhook"];

export const notifier = rulesFor("Notifier", {
  removed: "it no longer delivers notifications",
  idle: ({ discard }) => (discard === true ? "discards every notification" : undefined),
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
  changed: (before, after) => {
    // Nobody loses or gains what is discarded.
    const isDiscarded = before.discard === true || after.discard === true;
    const rules = [peopleFindings, resolvedFindings, urgencyFindings, certificateFindings];
    return [receiverFindings, ...(isDiscarded ? [] : rules)].flatMap((find) => find(before, after));
  },
});

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

/** People who are removed or added. The fields' effects name any other change. */
function peopleFindings(before: Notifier, after: Notifier): readonly LocatedFinding[] {
  const others = peopleIn(after);
  return peopleIn(before).flatMap(({ what, at, people: old }, i) => {
    const now = others[i]?.people;
    if (old === undefined || now === undefined) return [];
    const [lost, gained] = [without(old, now), without(now, old)];
    const direction = sided(lost.length > 0, gained.length > 0);
    // A field's effect names what changes of a responder.
    if (direction === "unclear" && typeof lost[0] !== "string") return [];
    const [from, to] = [lost, gained].map((some) => listed(firstOf(some.map(valueText))));
    const text = `${what} ${gained.length === 0 ? `${from} removed` : lost.length === 0 ? `${to} added` : `${from} → ${to}`}`;
    return tending("receiver", direction, text, ends, at);
  });
}

/** The people of each receiver; undefined without the receiver, or if they can't be distinguished. */
const peopleIn = ({ email, oncallA, chat }: Notifier) => [
  { what: "email.to", at: [["email", "to"]], people: email && addressesIn(email.to ?? "")?.filter(Boolean) },
  { what: "oncallA.responders", at: [["oncallA", "responders"]], people: oncallA && (oncallA.responders ?? []) },
  { what: "chat mentions", at: mentioning, people: chat && mentionsIn(chat) },
];

const chatTexts = ["pretext", "title", "text", "fallback", "footer"] as const;
const mentioning = [...chatTexts, "fields"].map((name) => ["chat", name]);
function mentionsIn(chat: NonNullable<Notifier["chat"]>): readonly string[] {
  const names = chat.linkNames === true ? "[\\w.-]+" : "(?:channel|here|everyone)\\b";
  const mention = new RegExp(`<!(?:channel|here|everyone|subteam\\^)[^>]*>|<@[^>]*>|(?<!\\w)@${names}`, "g");
  const texts = [...chatTexts.map((name) => chat[name]), ...(chat.fields ?? []).map(({ value }) => value)];
  return texts.flatMap((text) => text?.match(mention) ?? []);
}

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

/** Values that notify more people the earlier they are in their list. Only names that are links mention people. */
const urgencies: Readonly<Record<string, readonly unknown[]>> = {
  "oncallA.priority": ["P1", "P2", "P3", "P4", "P5"],
  "oncallB.severity": ["critical", "error", "warning", "info"],
  "oncallC.messageType": ["CRITICAL", "WARNING", "INFO"],
  "chat.linkNames": [true, false],
};

const urgencyFindings = (before: Notifier, after: Notifier) =>
  Object.entries(urgencies).flatMap(([name, values]) => {
    const at = name.split(".");
    const [old, now] = [before, after].map((each) => shownAt(each, at) ?? (shownAt(each, at.slice(0, 1)) && false));
    const [was = -1, is = -1] = [old, now].map((each) => values.indexOf(each));
    return was < 0 || is < 0
      ? []
      : tending("delivery", growing(was, is), `${name} ${changeText(old, now)}`, ends, [at]);
  });

const certificateFindings = (before: Notifier, after: Notifier) =>
  receivers.flatMap((receiver) => {
    const at = [receiver, "httpConfig", "tlsConfig", "insecureSkipVerify"];
    const [was, is] = [before, after].map((each) => shownAt(each, at) === true);
    if (was === is || before[receiver] === undefined || after[receiver] === undefined) return [];
    const end = is ? "accepts any certificate: may send to another server" : "checks certificates: may fail to deliver";
    return [classed("delivery", "unclear", `${receiver} now ${end}`, [at])];
  });
