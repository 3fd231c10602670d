import { notifier } from "../../../provider/kinds/notifier";
import type { ObjectField } from "../../../provider/schema/field";
import { grouped } from "../../../provider/base/grouped";
import { leaves } from "../../../provider/values/leaves";
import type { JsonObject } from "../../../provider/wire/json";
import { ConfigSecret } from "../../program/item";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import { type KeyTables, type ReadingOptions, SchemaReader } from "./schemaReader";
import { type ConversionBuilder, Diagnostics } from "./conversionBuilder";

// What Alertmanager's receivers and Grafana's contact points have in common.

/** A receiver's settings, which become a notifier. */
export interface Receiver {
  readonly settings: SourceNode;
  /** What the other tool calls this kind of receivers. */
  readonly tool: string;
  /** The notifier's field. */
  readonly field: string;
  readonly skipResolved: boolean;
  readonly uid?: string | undefined;
  /** Keys that `completed` reads. */
  readonly except?: readonly string[];
  /** Adds what the settings don't say in the notifier's own keys. */
  readonly completed: (read: JsonObject, field: ObjectField) => JsonObject;
}

/** A name under which the other tool has one or more receivers. */
export interface NamedReceivers {
  readonly at: SourceNode;
  readonly name: string;
  readonly count: number;
}

export const onlyReceivers = "a notifier is e-mail, opsgenie, pagerduty, victorops, slack or a webhook";

export class Notifiers {
  readonly #routes = new Map<string, Diagnostics>();

  constructor(
    private readonly builder: ConversionBuilder,
    private readonly options: ReadingOptions,
  ) {}

  /** Routes belong to notification policies, which the API does not describe: each receiver lists the routes to it. */
  enterRoute(route: SourceNode, inherited = "", outer: readonly string[] = []): void {
    if (!route.exists) return;
    const receiver = route.at("receiver").text ?? inherited;
    const matchers = [...outer, ...matchersOf(route)];
    const settings = route.keys
      .filter((key) => !selecting.includes(key))
      .map((key) => `${key} ${shown(route.at(key))}`);
    const who = matchers.length === 0 ? "all alerts" : `alerts with ${matchers.join(" and ")}`;
    const how = settings.length === 0 ? "" : ` (${settings.join("; ")})`;
    const what = `the route of ${who}${how} is left out: a notification policy must lead here`;
    this.#routesTo(receiver).add({ file: route.file, line: route.line, text: what, hasEffect: true });
    for (const each of route.at("routes").items) this.enterRoute(each, receiver, matchers);
  }

  /** Tells the routes to receivers that were not converted. */
  tellRoutes(): void {
    for (const [name, diagnostics] of this.#routes) this.builder.tell(`route to ${name}`, diagnostics);
  }

  rejectInterval(interval: SourceNode): void {
    const name = JSON.stringify(interval.at("name").text ?? "");
    this.builder.reject(interval, `the time interval ${name} has no counterpart: only a monitor has a schedule`);
  }

  addDiscarding(at: SourceNode, name: string): void {
    const { builder } = this;
    builder.current.note("The receiver has no configuration, so the notifier discards every notification.");
    builder.current.include(this.#routesTo(name));
    builder.add({ kind: notifier, at, original: name, args: { discard: true } });
  }

  /** @throws {Rejection} if it would send to another address, or to none */
  add(receiver: Receiver, { at, name, count }: NamedReceivers): void {
    const { settings, tool, skipResolved, uid, except } = receiver;
    const { builder } = this;
    if (count > 1) {
      const what = `the receiver ${JSON.stringify(name)} has ${count} configurations, each of which becomes its own notifier: a notification policy must name all of them`;
      builder.lose(at, what);
    }
    const field = notifier.args.fields[receiver.field] as ObjectField; // each `field` of a receiver names an object
    const read = new SchemaReader(builder, this.options).object(field, settings, except);
    const args = withTeams(receiver.completed(read, field), settings, builder);
    checkNeeds(args, receiver, field, this.options.tables?.[field.shape.name]);
    builder.templatesStay(
      settings,
      leaves(field, args).map(({ value }) => String(value)),
    );
    if (receiver.field === "email" && String(args.to).includes(","))
      builder.report(settings, "it has several addresses; the API documents one address per notifier");
    builder.current.include(this.#routesTo(name));
    builder.add({
      kind: notifier,
      at: settings,
      original: name,
      uid,
      ...(count > 1 && { group: tool, called: `${name}-${tool}` }),
      args: { ...(skipResolved ? { skipResolved } : {}), [receiver.field]: args },
    });
  }

  /** The losses of the routes to a receiver. */
  #routesTo(receiver: string): Diagnostics {
    const known = this.#routes.get(receiver) ?? new Diagnostics();
    this.#routes.set(receiver, known);
    return known;
  }
}

export const isMissing = (value: unknown) =>
  [undefined, ""].includes((value instanceof ConfigSecret ? (value.value ?? value.key) : value) as string | undefined); // It only compares.

const responderTypes = ["TEAM", "USER", "ESCALATION", "SCHEDULE"];

/** A responder of the type `teams` is several teams. */
function withTeams(args: JsonObject, settings: SourceNode, { lose }: ConversionBuilder): JsonObject {
  if (!Array.isArray(args.responders)) return args;
  const responders = (args.responders as readonly JsonObject[]).flatMap((each) => {
    const type = String(each.responderType);
    if (type.toLowerCase() === "teams" && typeof each.name === "string") {
      const names = each.name.split(",").map((name) => name.trim());
      return names.filter(Boolean).map((name) => ({ ...each, responderType: "TEAM", name }));
    }
    if (!responderTypes.includes(type))
      lose(settings.at("responders"), `the responder type "${type}" is none of ${responderTypes.join(", ")}`);
    return [each];
  });
  return { ...args, responders };
}

/** Checks that each required field is there; one of those with the same condition is enough. */
function checkNeeds(
  args: JsonObject,
  { settings, except = [] }: Receiver,
  { shape }: ObjectField,
  table: KeyTables[string] = {},
): void {
  // As the other tool spells it.
  const keyOf = (wireName: string) => Object.keys(table).find((key) => table[key] === wireName) ?? wireName;
  const required = shape.members.flatMap(({ name, wireName, field: { options } }) =>
    options.required === undefined
      ? []
      : [{ name, wireName, condition: options.required === "always" ? name : options.required }],
  );
  for (const alternatives of grouped(required, ({ condition }) => condition).values()) {
    if (alternatives.some(({ name }) => !isMissing(args[name]))) continue;
    const own = alternatives.filter(({ wireName }) => keyOf(wireName) !== wireName);
    const keys = (own.length > 0 ? own : alternatives).map(({ wireName }) => `\`${keyOf(wireName)}\``);
    const known = [...except, ...Object.keys(table), ...shape.members.map(({ wireName }) => wireName)];
    const unknown = settings.keys.filter((key) => !known.includes(key.replace(/_file$/, "")));
    throw new Rejection(
      settings,
      [`it has no ${keys.join(" and no ")}`, ...unknown.map((key) => `${key} is unknown`)].join("; "),
    );
  }
}

/** The keys of a route that say which alerts it has, and where it leads. */
const selecting = ["orgId", "receiver", "routes", "matchers", "object_matchers", "match", "match_re"];

function matchersOf(route: SourceNode): readonly string[] {
  const of = (key: string, sign: string) =>
    route.at(key).keys.map((label) => `${label}${sign}${JSON.stringify(route.at(key, label).text ?? "")}`);
  const ofGrafana = route.at("object_matchers").items.map(({ items }) => items.map(shown).join(" "));
  return [...route.at("matchers").items.map(shown), ...ofGrafana, ...of("match", "="), ...of("match_re", "=~")];
}

const shown = ({ text, value, items }: SourceNode): string =>
  text ?? (items.length > 0 ? items.map(shown).join(", ") : JSON.stringify(value));
