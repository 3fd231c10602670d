import type { Resources } from "../../../sdk/standards/resources.gen";
import { listed } from "../../report/words";
import type { Finding } from "../risk";
import { arrow } from "../values";
import { rulesFor } from "./rules";

type Notifier = Resources["Notifier"];

/** Each receiver, and those of its fields that decide who is told. */
const receivers = {
  email: ["to"],
  oncallA: ["apiUrl", "apiKey", "responders"],
  oncallB: ["url", "routingKey", "serviceKey"],
  oncallC: ["apiUrl", "apiKey", "routingKey"],
  chat: ["apiUrl", "channel"],
  webhook: ["url"],
} as const satisfies { readonly [Name in keyof Notifier]?: readonly (keyof NonNullable<Notifier[Name]>)[] };

const names = Object.keys(receivers) as (keyof typeof receivers)[]; // an object's keys are typed as strings

export const notifier = rulesFor("Notifier", {
  removed: "nothing is delivered through it any more",
  areas: [
    { path: ["discard"], class: "discarded", words: "whether it discards" },
    ...names.flatMap((receiver) =>
      receivers[receiver].map((field) => ({
        path: [receiver, field],
        class: "target-changed" as const,
        words: `${receiver}.${field}`,
      })),
    ),
  ],
  changed: (before, after) => {
    const [old, now] = [before.discard === true, after.discard === true];
    if (!old && now) return [{ class: "discarded", direction: "laxer", text: "drops every notification from now on" }];
    const woken: readonly Finding[] =
      old && !now ? [{ class: "stricter", direction: "stricter", text: "delivers notifications again" }] : [];
    return [...woken, ...targetFindings(before, after)];
  },
});

function targetFindings(before: Notifier, after: Notifier): readonly Finding[] {
  const [old, now] = [before, after].map((side) => names.filter((name) => side[name] !== undefined));
  const isOther = old?.join() !== now?.join();
  if (isOther) {
    // One that only discarded told nobody before.
    if (old?.length === 0 || now?.length === 0) return [];
    return [target(`delivers by ${listed(old ?? [])} → ${listed(now ?? [])}`)];
  }
  return (now ?? []).flatMap((receiver) =>
    receivers[receiver].flatMap((field) => {
      const [from, to] = [valueOf(before, receiver, field), valueOf(after, receiver, field)];
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [target(`${receiver}.${field} ${arrow(from, to)}`)];
    }),
  );
}

const target = (text: string): Finding => ({
  class: "target-changed",
  direction: "unclear",
  text: `${text}: other people may be told`,
});

function valueOf(notifier: Notifier, receiver: keyof typeof receivers, field: string): unknown {
  const settings = notifier[receiver] as Readonly<Record<string, unknown>> | undefined; // the fields differ by receiver
  return settings?.[field] || undefined;
}
