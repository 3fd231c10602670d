import type { Kind } from "../../provider/schema/kind";
import { entries, type JsonObject } from "../../provider/wire/json";
import type { Resources } from "../../sdk/standards/resources.gen";
import { legible } from "../equality/comparable";
import { rulesOf } from "../sentences/kinds/index";
import type { KindRules } from "../sentences/kinds/rules";
import { holdsHidden, isHidden } from "../equality/hidden";
import { valueText } from "../sentences/values";
import type { Alerting } from "./content";

/** What the rules of a kind say of a declaration, without the objects and lists that are hidden. */
export const saidByRules = <T>(kind: Kind, args: JsonObject, say: (rules: KindRules, visible: unknown) => T): T =>
  say(rulesOf(kind.name), legible(kind.root, args));

/** The fields that monitors and SLOs share. */
type Shared = Pick<Resources["Monitor"], "name" | "labels" | "annotations" | "notificationPolicySlug" | "schedule">;

/** One side of a row; undefined for a kind that doesn't alert. */
export function alertingOf(kind: Kind, args: JsonObject, notifierLabel: string): Alerting | undefined {
  return saidByRules(kind, args, ({ alerting }, visible) => {
    const found = alerting?.(visible);
    if (found === undefined) return undefined;
    const { name, labels, annotations, notificationPolicySlug: policy, schedule } = visible as Shared;
    const notifier = entries(labels)[notifierLabel];
    return {
      ...found,
      name: wordFor(name ?? ""),
      labels: wordsIn(labels),
      annotations: wordsIn(annotations),
      ...(policy ? { policy: wordFor(policy) } : {}),
      ...(notifier ? { notifier: wordFor(notifier) } : {}),
      ...(holdsHidden(args.schedule) ? { schedule: "hidden" } : schedule && { schedule }),
      ...(holdsHidden(args) && { isIncomplete: true }),
    };
  });
}

const wordFor = (value: unknown) => (isHidden(value) ? `(${valueText(value)})` : String(value));

const wordsIn = (map: unknown) =>
  Object.fromEntries(Object.entries(entries(map)).map(([key, value]) => [key, wordFor(value)]));
