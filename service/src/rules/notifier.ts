import { addresses, oneLine, optionalProxyUrl, optionalUrl, url } from "./constraints.js";
import { type Constraint, either, rulesFor, type Shapes } from "./rules.js";

const receivers = ["email", "oncall_a", "oncall_b", "oncall_c", "chat", "webhook"] as const;
const keys = ["routing_key", "service_key"] as const;
const identities = ["id", "name", "username"] as const;

type Notifier = { discard: boolean } & Record<(typeof receivers)[number], object>;

const urls = (...names: readonly string[]): Readonly<Record<string, Constraint>> =>
  Object.fromEntries(names.map((name) => [name, optionalUrl]));

export const notifier: Shapes = {
  Notifier: rulesFor<Notifier>({
    check: (notifier, report) => {
      const set = receivers.filter((name) => notifier[name] !== undefined);
      if (set.length === 0 && !notifier.discard) report("", `needs a receiver (${either(receivers)}) or discard`);
      if (set.length > 1) report("", `has ${set.length} receivers (${set.join(", ")}), exactly one is allowed`);
    },
  }),
  Email: { schema: { properties: { to: addresses } } },
  OncallA: { schema: { properties: { api_key: oneLine, ...urls("api_url") } } },
  Responder: rulesFor<Record<(typeof identities)[number], string>>({
    check: (responder, report) => {
      if (!identities.some((identity) => responder[identity]?.trim())) report("", `needs ${either(identities)}`);
    },
  }),
  OncallB: rulesFor<Record<(typeof keys)[number], string>>({
    schema: { properties: { routing_key: oneLine, service_key: oneLine, ...urls("client_url", "url") } },
    check: (receiver, report) => {
      const set = keys.filter((key) => receiver[key]);
      if (set.length === 0) report("", `needs ${either(keys)}`);
      if (set.length > 1) report("", `has both ${set.join(" and ")}, only one is allowed`);
    },
  }),
  OncallBImage: { schema: { properties: urls("href", "src") } },
  OncallBLink: { schema: { properties: urls("href") } },
  OncallC: { schema: { properties: { api_key: oneLine, routing_key: oneLine, ...urls("api_url") } } },
  Chat: { schema: { properties: { api_url: url, ...urls("icon_url", "image_url", "thumb_url", "title_link") } } },
  ChatAction: { schema: { properties: urls("url") } },
  Webhook: { schema: { properties: { url } } },
  HttpConfig: rulesFor<{ bearer_token: string; basic_auth: object }>({
    schema: { properties: { bearer_token: oneLine, proxy_url: optionalProxyUrl } },
    check: ({ bearer_token, basic_auth }, report) => {
      if (bearer_token && basic_auth !== undefined) {
        report("", "has both bearer_token and basic_auth, only one is allowed");
      }
    },
  }),
};
