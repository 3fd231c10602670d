import type { Resources } from "../../../sdk/standards/resources.gen";
import { listed } from "../../report/words";
import type { LocatedFinding } from "../risk";
import { classed, rulesFor, sided, tending } from "./rules";

type Notifier = Resources["Notifier"];

const receivers: readonly (keyof Notifier)[] = ["email", "oncallA", "oncallB", "oncallC", "chat", "webhook"];

export const notifier = rulesFor("Notifier", {
  removed: "it no longer delivers notifications",
  idle: ({ discard }) => (discard === true ? "it discarded every notification" : undefined),
  changed: (before, after) => [
    ...receiverFindings(before, after),
    ...(isUnheard(before, after) ? [] : resolvedFindings(before, after)),
  ],
  end: (before, after) => (isUnheard(before, after) ? unheard : undefined),
});

const isUnheard = (before: Notifier, after: Notifier) => before.discard === true && after.discard === true;

const unheard = "nobody is notified, before and after";

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

const receiversOf = (notifier: Notifier) => receivers.filter((name) => notifier[name] !== undefined);

const namesText = (names: readonly string[]) => (names.length === 0 ? "nothing" : listed(names));

function resolvedFindings({ skipResolved: was = false }: Notifier, { skipResolved: is = false }: Notifier) {
  if (was === is) return [];
  const text = is
    ? "no longer sends a notification when an alert resolves"
    : "sends a notification again when an alert resolves";
  return [classed("delivery", is ? "alerts-less" : "alerts-more", text, [["skipResolved"]])];
}
