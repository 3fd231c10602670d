import { either, rule, type Rules } from "./rules.js";

const receivers = ["email", "oncall_a", "oncall_b", "oncall_c", "chat", "webhook"] as const;
const keys = ["routing_key", "service_key"] as const;
const identities = ["id", "name", "username"] as const;

type Notifier = { discard: boolean } & Record<(typeof receivers)[number], object>;

export const notifier: Rules = {
  Notifier: rule<Notifier>((notifier, report) => {
    const set = receivers.filter((name) => notifier[name] !== undefined);
    if (set.length === 0 && !notifier.discard) report("", `needs a receiver (${either(receivers)}) or discard`);
    if (set.length > 1) report("", `has ${set.length} receivers (${set.join(", ")}), exactly one is allowed`);
  }),
  Responder: rule<Record<(typeof identities)[number], string>>((responder, report) => {
    if (!identities.some((identity) => responder[identity]?.trim())) report("", `needs ${either(identities)}`);
  }),
  OncallB: rule<Record<(typeof keys)[number], string>>((receiver, report) => {
    const set = keys.filter((key) => receiver[key]);
    if (set.length === 0) report("", `needs ${either(keys)}`);
    if (set.length > 1) report("", `has both ${set.join(" and ")}, only one is allowed`);
  }),
  HttpConfig: rule<{ bearer_token: string; basic_auth: object }>(({ bearer_token, basic_auth }, report) => {
    if (bearer_token && basic_auth !== undefined)
      report("", "has both bearer_token and basic_auth, only one is allowed");
  }),
};
