import type { ObjectField } from "../../../provider/schema/field";
import type { JsonObject } from "../../../provider/wire/json";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import { type KeyTables, SchemaReader } from "./schemaReader";
import { type ConversionBuilder, eachAlone, type SourceFormat } from "./conversionBuilder";
import { anything, sequence, mapping, truth } from "../../source/scalars";
import { addressed, harmless, inert, inertKeys, keysWith, lost, undelivered } from "./keys";
import { integrationsOf, isSilent } from "../../source/routes";
import { isMissing, type NamedReceivers, Notifiers, onlyReceivers } from "./notifiers";

/** Alertmanager's configuration. Each configuration of a receiver becomes a notifier. */
export const alertmanager: SourceFormat = {
  recognizes: (node) => !node.at("kind").exists && (node.at("receivers").exists || node.at("route").exists),

  convert: eachAlone((node, builder) => new Configuration(node, builder).convert()),
};

/** How one list of a receiver becomes notifiers. Its name is that of the list: `opsgenie_configs`. */
interface Target {
  /** The notifier's field, whose fields have the same names as Alertmanager's. */
  readonly field: string;
  /** Alertmanager's default of `send_resolved`. */
  readonly sendsResolved: boolean;
}

const targets: Readonly<Record<string, Target>> = {
  email: { field: "email", sendsResolved: false },
  opsgenie: { field: "oncallA", sendsResolved: true },
  pagerduty: { field: "oncallB", sendsResolved: true },
  victorops: { field: "oncallC", sendsResolved: true },
  slack: { field: "chat", sendsResolved: false },
  webhook: { field: "webhook", sendsResolved: true },
};

// Tables of keys: https://github.com/prometheus/alertmanager/blob/main/config, and `notify/*/config.go` beside it.

const sentByService = harmless("its mail server and sender are left out: the service sends e-mail itself", []);
const sameApp = harmless("`app_url` is left out: it has an effect only with an `app_token`", []);
const ofMail = [
  ...["from", "hello", "smarthost", "auth_username", "auth_password", "auth_password_file", "auth_secret"],
  ...["auth_secret_file", "auth_identity", "require_tls", "tls_config", "force_implicit_tls"],
];

/** The keys that the notifier's fields don't have, by the name of the shape; a name is that of the field on the wire. */
const tables: KeyTables = {
  Email: { ...keysWith(sentByService, ...ofMail), headers: lost(), threading: lost() },
  OncallA: { entity: lost(), actions: lost(), update_alerts: lost() },
  Responder: { type: "responder_type" },
  OncallB: { source: lost(), timeout: lost() },
  Chat: {
    ...{ app_token: addressed, app_token_file: addressed, app_url: sameApp },
    ...{ message_text: lost(), update_message: lost(), timeout: lost() },
  },
  ChatAction: { confirm: "confirm_field" },
  Webhook: { max_alerts: lost(), timeout: lost(), payload: lost() },
  HttpConfig: {
    ...{ credentials: "bearer_token", credentials_file: "bearer_token_file" },
    ...keysWith(undelivered, "credentials_ref", "oauth2"),
    ...keysWith(lost(), "http_headers", "no_proxy", "proxy_from_environment", "proxy_connect_header"),
    ...{ follow_redirects: lost(undefined, ["true"]), enable_http2: inert },
  },
  HttpBasicAuth: keysWith(undelivered, "username_file", "username_ref", "password_ref"),
  HttpTlsConfig: {
    ...keysWith(lost(), "ca", "ca_file", "ca_ref", "cert", "cert_file", "cert_ref", "key", "key_file", "key_ref"),
    ...keysWith(lost(), "server_name", "min_version", "max_version"),
  },
};

const schema = mapping({
  global: anything,
  route: anything,
  receivers: sequence(anything).default([]),
  templates: lost((value) => `the template files are left out: ${value}`),
  inhibit_rules: sequence(anything).default([]),
  time_intervals: sequence(anything).default([]),
  mute_time_intervals: sequence(anything).default([]),
  ...inertKeys("tracing", "event_recorder"),
});

const globalSchema = mapping({
  resolve_timeout: harmless("`resolve_timeout` is left out: Prometheus says itself until when an alert fires", []),
  http_config: anything,
  ...Object.fromEntries(
    ofMail.map((key) => [`smtp_${key}`, harmless(`"smtp_${key}" is left out: the service sends e-mail itself`, [])]),
  ),
  // Receivers without their own have these; those of other receivers have no effect.
  ...inertKeys("slack_api_url", "slack_api_url_file", "slack_app_token", "slack_app_token_file", "slack_app_url"),
  ...inertKeys("opsgenie_api_url", "opsgenie_api_key", "opsgenie_api_key_file", "pagerduty_url"),
  ...inertKeys("victorops_api_url", "victorops_api_key", "victorops_api_key_file", "jira_api_url", "webex_api_url"),
  ...inertKeys("wechat_api_url", "wechat_api_secret", "wechat_api_secret_file", "wechat_api_corp_id"),
  ...inertKeys("telegram_api_url", "telegram_bot_token", "telegram_bot_token_file", "rocketchat_api_url"),
  ...inertKeys("rocketchat_token", "rocketchat_token_file", "rocketchat_token_id", "rocketchat_token_id_file"),
  ...inertKeys("mattermost_webhook_url", "mattermost_webhook_url_file"),
});

class Configuration {
  readonly #global: SourceNode;
  readonly #notifiers: Notifiers;

  constructor(
    private readonly node: SourceNode,
    private readonly builder: ConversionBuilder,
  ) {
    this.#global = node.at("global");
    this.#notifiers = new Notifiers(builder, { tables });
  }

  convert(): void {
    const { node, builder } = this;
    builder.read(node, schema);
    if (this.#global.exists) builder.read(this.#global, globalSchema);
    builder.tell("file");
    this.#notifiers.enterRoute(node.at("route"));
    builder.each(node.at("receivers").items, (receiver) => this.#convertReceiver(receiver));
    this.#notifiers.tellRoutes();
    for (const rule of node.at("inhibit_rules").items) {
      builder.reject(rule, "an inhibit rule has no counterpart: monitors do not silence each other");
    }
    for (const key of ["time_intervals", "mute_time_intervals"])
      node.at(key).items.forEach((interval) => this.#notifiers.rejectInterval(interval));
  }

  #convertReceiver(receiver: SourceNode): void {
    const { builder } = this;
    const name = receiver.at("name").text;
    if (name === undefined || name === "") throw new Rejection(receiver, "the receiver has no name");
    const keys = integrationsOf(receiver);
    const partName = (part: SourceNode) => (keys.length + count > 2 ? `${name}, ${part.key}` : name);
    const count = keys.reduce((sum, key) => sum + receiver.at(key).items.length, 0);
    const of = { at: receiver, name, count };
    if (isSilent(receiver)) this.#notifiers.addDiscarding(receiver, name);
    for (const key of keys) {
      const [, tool = ""] = /^(.*)_configs$/.exec(key) ?? [];
      const [target, listed] = [Object.hasOwn(targets, tool) ? targets[tool] : undefined, receiver.at(key)];
      if (target === undefined) {
        const reason = `"${key}" has no counterpart: ${onlyReceivers}`;
        for (const each of listed.items.length > 0 ? listed.items : [listed])
          builder.reject(each, reason, partName(each));
      } else if (!Array.isArray(listed.value)) builder.reject(listed, `"${key}" is not a list`, partName(listed));
      else builder.each(listed.items, (config) => this.#convertConfig(config, tool, target, of), partName);
    }
  }

  #convertConfig(config: SourceNode, tool: string, { field, sendsResolved }: Target, of: NamedReceivers): void {
    const sends = config.at("send_resolved");
    const isSent = sends.exists ? truth.safeParse(sends.value) : undefined;
    if (isSent?.success === false) throw new Rejection(sends, "`send_resolved` is neither true nor false");
    this.#notifiers.add(
      {
        ...{ settings: config, tool, field, except: ["send_resolved", "http_config"] },
        skipResolved: !(isSent?.data ?? sendsResolved),
        completed: (read, shape) => ({
          ...read,
          ...this.#inherited(read, shape, config, tool),
          ...this.#http(shape, config),
        }),
      },
      of,
    );
  }

  #http(field: ObjectField, config: SourceNode): JsonObject {
    const isGlobal = !config.at("http_config").exists;
    const [http, known] = [(isGlobal ? this.#global : config).at("http_config"), field.shape.fields.httpConfig];
    if (!http.exists || known === undefined) return {};
    const options = isGlobal ? { tables, secretsOf: "alertmanager" } : { tables };
    // The field of this name is an object.
    return { httpConfig: new SchemaReader(this.builder, options).http(known as ObjectField, http) };
  }

  /** The global settings, such as `slack_api_url`, for keys that a receiver does not have. */
  #inherited(read: JsonObject, field: ObjectField, config: SourceNode, tool: string): JsonObject {
    const { members } = field.shape;
    // A receiver with an address of its own takes no other way to send from the global settings.
    const isAddressed = members.some(({ name, field: { options } }) => options.required && !isMissing(read[name]));
    const table = tables[field.shape.name] ?? {};
    const wanted = this.#global.keys.flatMap((key) => {
      const own = key.startsWith(`${tool}_`) ? key.slice(tool.length + 1) : "";
      const member = members.find(({ wireName }) => wireName === own.replace(/_file$/, ""));
      const isWanted = member === undefined ? own in table && !isAddressed : isMissing(read[member.name]);
      return isWanted ? [[key, table[own] ?? own] as const] : [];
    });
    const others = this.#global.keys.filter((key) => !wanted.some(([each]) => each === key));
    const inherited = { [field.shape.name]: Object.fromEntries(wanted) };
    const reader = new SchemaReader(this.builder, { tables: inherited, secretsOf: tool });
    return wanted.length === 0 ? {} : reader.object(field, this.#global, others);
  }
}
