import { notifier } from "../../../provider/kinds/notifier";
import type { ObjectField } from "../../../provider/schema/field";
import { grouped } from "../../../provider/base/grouped";
import { leaves } from "../../../provider/values/leaves";
import type { JsonObject } from "../../../provider/wire/json";
import { type SourceNode, Rejection } from "./sourceNode";
import { SchemaReader } from "./schemaReader";
import { type ConversionBuilder, eachAlone, type SourceFormat, Diagnostics } from "./conversionBuilder";
import { anything, sequence, mapping, text, truth } from "./scalars";

/** Alertmanager's configuration. Each configuration of a receiver becomes a notifier. */
export const alertmanager: SourceFormat = {
  recognizes: (node) => !node.at("kind").exists && (node.at("receivers").exists || node.at("route").exists),

  convert: eachAlone((node, builder) => new Configuration(node, builder).convert()),
};

/** How one list of a receiver becomes notifiers. */
interface Receiver {
  /** The list is called `opsgenie_configs`. */
  readonly tool: string;
  /** The notifier's field, whose fields have the same names as Alertmanager's. */
  readonly field: string;
  /** Alertmanager's default of `send_resolved`. */
  readonly sendsResolved: boolean;
  /** Keys that `global` may contain too, as `opsgenie_api_key`, for receivers without them. */
  readonly defaults?: readonly string[];
}

const renamed = { confirm: "confirm_field", type: "responder_type", credentials: "bearer_token" };

const apiKeys = ["api_key", "api_url"];
const receivers: readonly Receiver[] = [
  { tool: "email", field: "email", sendsResolved: false },
  { tool: "opsgenie", field: "oncallA", sendsResolved: true, defaults: apiKeys },
  { tool: "pagerduty", field: "oncallB", sendsResolved: true, defaults: ["url"] },
  { tool: "victorops", field: "oncallC", sendsResolved: true, defaults: apiKeys },
  { tool: "slack", field: "chat", sendsResolved: false, defaults: ["api_url"] },
  { tool: "webhook", field: "webhook", sendsResolved: true },
];

const schema = mapping({
  global: anything,
  route: anything,
  receivers: sequence(anything).default([]),
  templates: sequence(text).default([]),
  inhibit_rules: sequence(anything).default([]),
  time_intervals: sequence(anything).default([]),
  mute_time_intervals: sequence(anything).default([]),
});

class Configuration {
  readonly #global: SourceNode;
  readonly #routes = new Map<string, Diagnostics>();

  constructor(
    private readonly node: SourceNode,
    private readonly builder: ConversionBuilder,
  ) {
    this.#global = node.at("global");
  }

  convert(): void {
    const { node, builder } = this;
    const { templates } = node.read(schema, (at, key) =>
      builder.lose(at, key, "it has no counterpart and is left out"),
    );
    this.#enterRoute(node.at("route"), "", []);
    builder.each(node.at("receivers").items, (receiver) => this.#convertReceiver(receiver));
    this.#loseGlobals();
    if (templates.length > 0) {
      builder.lose(node.at("templates"), "templates", `the template files are left out: ${templates.join(", ")}`);
    }
    for (const rule of node.at("inhibit_rules").items) {
      builder.reject(rule, "an inhibit rule has no counterpart: monitors do not silence each other");
    }
    for (const key of ["time_intervals", "mute_time_intervals"]) {
      for (const interval of node.at(key).items) {
        const name = JSON.stringify(interval.at("name").text ?? "");
        builder.reject(interval, `the time interval ${name} has no counterpart: only a monitor has a schedule`);
      }
    }
  }

  #loseGlobals(): void {
    const defaults = receivers.flatMap(({ tool, defaults = [] }) => defaults.map((key) => `${tool}_${key}`));
    const used = ["http_config", ...defaults];
    for (const key of this.#global.keys) {
      if (used.includes(key.replace(/_file$/, ""))) continue;
      const reason = key.startsWith("smtp_") ? "the service sends e-mail itself" : "it has no counterpart";
      this.builder.lose(this.#global.at(key), "global", `"${key}" is left out: ${reason}`);
    }
  }

  /** Routes belong to notification policies, which the API does not describe: each receiver lists the routes to it. */
  #enterRoute(route: SourceNode, inherited: string, outer: readonly string[]): void {
    if (!route.exists) return;
    const receiver = route.at("receiver").text ?? inherited;
    const matchers = [...outer, ...matchersOf(route)];
    const settings = [...routeKeys, "mute_time_intervals", "active_time_intervals", "continue"]
      .filter((key) => route.at(key).exists)
      .map((key) => `${key} ${shown(route.at(key))}`);
    const diagnostics = this.#routesTo(receiver);
    const who = matchers.length === 0 ? "all alerts" : `alerts with ${matchers.join(" and ")}`;
    const how = settings.length === 0 ? "" : ` (${settings.join("; ")})`;
    diagnostics.lose(route, `the route of ${who}${how} is left out: a notification policy must lead here`);
    for (const each of route.at("routes").items) this.#enterRoute(each, receiver, matchers);
  }

  /** The losses of the routes to a receiver. */
  #routesTo(receiver: string): Diagnostics {
    const known = this.#routes.get(receiver) ?? new Diagnostics();
    this.#routes.set(receiver, known);
    return known;
  }

  #convertReceiver(receiver: SourceNode): void {
    const { builder } = this;
    const name = receiver.at("name").text;
    if (name === undefined || name === "") throw new Rejection(receiver, "the receiver has no name");
    const keys = receiver.keys.filter((key) => key !== "name");
    const count = keys.reduce((sum, key) => sum + receiver.at(key).items.length, 0);
    if (count === 0 && keys.every((key) => Array.isArray(receiver.at(key).value))) {
      const diagnostics = new Diagnostics();
      diagnostics.note("The receiver has no configuration, so the notifier discards every notification.");
      diagnostics.include(this.#routesTo(name));
      builder.add({ kind: notifier, at: receiver, original: name, args: { discard: true }, diagnostics });
    }
    const several =
      count === 1
        ? undefined
        : `the receiver ${JSON.stringify(name)} has ${count} configurations, each of which becomes its own notifier: a notification policy must name all of them`;
    for (const key of keys) {
      const [target, listed] = [receivers.find(({ tool }) => key === `${tool}_configs`), receiver.at(key)];
      if (target === undefined) {
        const reason = `"${key}" has no counterpart: a notifier is e-mail, opsgenie, pagerduty, victorops, slack or a webhook`;
        for (const each of listed.items.length > 0 ? listed.items : [listed]) builder.reject(each, reason);
      } else if (!Array.isArray(listed.value)) builder.reject(listed, `"${key}" is not a list`);
      else builder.each(listed.items, (config) => this.#convertConfig(config, target, receiver, several));
    }
  }

  /** @param several What is lost if the receiver has other configurations too. */
  #convertConfig(config: SourceNode, target: Receiver, of: SourceNode, several: string | undefined): void {
    const [{ builder }, diagnostics, original] = [this, new Diagnostics(), of.at("name").text ?? ""];
    if (several !== undefined) diagnostics.lose(of, several);
    const sends = config.at("send_resolved");
    const isSent = sends.exists ? truth.safeParse(sends.value) : undefined;
    if (isSent?.success === false) throw new Rejection(sends, "`send_resolved` is neither true nor false");
    const field = notifier.args.fields[target.field] as ObjectField; // each of `receivers` names an object
    this.#checkNeeds(config, target, field);

    const reader = new SchemaReader(builder, diagnostics, { renamed });
    const receiver = {
      ...reader.object(field, config, ["send_resolved", "http_config"]),
      ...this.#globals(field, config, target, diagnostics),
    };
    const http = config.at("http_config").exists ? config.at("http_config") : this.#global.at("http_config");
    if (http.exists && field.shape.fields.httpConfig !== undefined) {
      const isGlobal = !config.at("http_config").exists;
      const own = isGlobal ? new SchemaReader(builder, diagnostics, { renamed, secretsOf: "alertmanager" }) : reader;
      Object.assign(receiver, { httpConfig: own.http(field.shape.fields.httpConfig as ObjectField, http) });
    }
    builder.templatesStay(
      config,
      leaves(field, receiver).map(({ value }) => String(value)),
    );
    if (target.field === "email" && config.at("to").text?.includes(",")) {
      diagnostics.lose(config.at("to"), "it has several addresses; the API documents one address per notifier");
    }
    diagnostics.include(this.#routesTo(original));
    const skipResolved = !(isSent?.data ?? target.sendsResolved);
    builder.add({
      kind: notifier,
      at: config,
      original,
      ...(several && { group: target.tool, called: `${original}-${target.tool}` }),
      args: { ...(skipResolved ? { skipResolved } : {}), [target.field]: receiver },
      diagnostics,
    });
  }

  /** The global settings for keys that a receiver does not have. */
  #globals(field: ObjectField, config: SourceNode, { tool, defaults = [] }: Receiver, own: Diagnostics): JsonObject {
    const wanted = defaults.filter((key) => !has(config, key)).map((key) => [`${tool}_${key}`, key] as const);
    const renamed = Object.fromEntries(wanted);
    const others = this.#global.keys.filter((key) => !Object.hasOwn(renamed, key.replace(/_file$/, "")));
    return this.#global.keys.length === others.length
      ? {}
      : new SchemaReader(this.builder, own, { renamed, secretsOf: tool }).object(field, this.#global, others);
  }

  /** Checks that each required key is there; one of those with the same condition is enough. */
  #checkNeeds(config: SourceNode, { tool, defaults = [] }: Receiver, field: ObjectField): void {
    const isThere = (key: string) =>
      has(config, key) || (defaults.includes(key) && has(this.#global, `${tool}_${key}`));
    const required = field.shape.members.flatMap(({ wireName: key, field: { options } }) =>
      options.required === undefined
        ? []
        : [{ key, condition: options.required === "always" ? key : options.required }],
    );
    for (const alternatives of grouped(required, ({ condition }) => condition).values()) {
      if (alternatives.some(({ key }) => isThere(key))) continue;
      throw new Rejection(config, `it has no ${alternatives.map(({ key }) => `\`${key}\``).join(" and no ")}`);
    }
  }
}

const routeKeys = ["group_by", "group_wait", "group_interval", "repeat_interval"];

const has = (node: SourceNode, key: string) => (node.at(key).text ?? "") !== "" || node.at(`${key}_file`).exists;

function matchersOf(route: SourceNode): readonly string[] {
  const of = (key: string, sign: string) =>
    route.at(key).keys.map((label) => `${label}${sign}${JSON.stringify(route.at(key, label).text ?? "")}`);
  return [...route.at("matchers").items.map(shown), ...of("match", "="), ...of("match_re", "=~")];
}

const shown = (node: SourceNode): string => node.text ?? node.items.map(shown).join(", ");
