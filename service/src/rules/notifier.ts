import { either, Problems, rulesFor } from "./rules.js";

interface Receiver {
  readonly to?: string;
  readonly url?: string;
  readonly api_url?: string;
  readonly api_key?: string;
  readonly routing_key?: string;
  readonly service_key?: string;
  readonly http_config?: { readonly bearer_token?: string; readonly basic_auth?: object };
}

const receivers = ["email", "oncall_a", "oncall_b", "oncall_c", "chat", "webhook"] as const;
type ReceiverName = (typeof receivers)[number];

type Notifier = { readonly discard?: boolean } & Partial<Readonly<Record<ReceiverName, Receiver>>>;

/** The required fields of each receiver. Of an inner list, one field is enough. */
const needed: Readonly<Record<ReceiverName, readonly (readonly (keyof Receiver)[])[]>> = {
  email: [["to"]],
  oncall_a: [["api_key"]],
  oncall_b: [["routing_key", "service_key"]],
  oncall_c: [["api_key"], ["routing_key"]],
  chat: [["api_url"]],
  webhook: [["url"]],
};

export const notifier = rulesFor<Notifier>({
  check: (notifier) => {
    const problems = new Problems();
    const set = receivers.filter((name) => notifier[name] !== undefined);
    if (set.length === 0 && !notifier.discard) problems.add("", `needs a receiver (${either(receivers)}) or discard`);
    if (set.length > 1) problems.add("", `has ${set.length} receivers (${set.join(", ")}), exactly one is allowed`);
    for (const name of set) {
      const receiver = notifier[name] ?? {};
      for (const alternatives of needed[name]) {
        if (alternatives.some((field) => receiver[field])) continue;
        const [field] = alternatives;
        if (alternatives.length === 1) problems.add(`${name}.${field}`, "is required");
        else problems.add(name, `needs ${either(alternatives)}`);
      }
      const { bearer_token, basic_auth } = receiver.http_config ?? {};
      if (bearer_token && basic_auth !== undefined) {
        problems.add(`${name}.http_config`, "has both bearer_token and basic_auth, only one is allowed");
      }
    }
    return problems.found;
  },
});
