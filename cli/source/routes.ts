import { fileLabel, readText } from "../output/files";
import { CommandError } from "../output/output";
import { listed, quote } from "../output/words";
import { type AlertMatcher, alertMatcher, alertMatchersIn } from "./alertMatchers";
import { anything, mapping, sequence, text, textMapping, truth } from "./scalars";
import { nodesOf, Rejection, type SourceNode } from "./sourceNode";

/** A route of Alertmanager, with the routes in it. */
export interface Route {
  readonly receiver: Receiver;
  readonly matchers: readonly AlertMatcher[];
  /** Whether an alert that matches also goes to the routes after it. */
  readonly continues: boolean;
  readonly routes: readonly Route[];
  /** `muted in "holidays"`; empty if it always sends. */
  readonly limits: string;
}

interface Receiver {
  readonly name: string;
  /** Why it notifies nobody. */
  readonly silence?: string;
}

/** What is known of who is notified: the options of `review` and `report`. */
export interface KnownRouting<Routes = Route> {
  /** The label whose value is the slug of a notifier, if it is not the usual one. */
  readonly notifierLabel?: string | undefined;
  readonly routes?: Routes | undefined;
}

/** The same as a user gives it: with the name of a file. */
export type RoutingFlags = KnownRouting<string>;

/** @throws {CommandError} if the file has no routes that Alertmanager would load */
export const knownRouting = ({ notifierLabel, routes }: RoutingFlags): KnownRouting => ({
  notifierLabel,
  routes: routes === undefined ? undefined : readRoutes(routes),
});

function readRoutes(file: string): Route {
  const written = readText(file);
  const where = `can't read the routes in ${fileLabel(file)}`;
  if (/^\s*\{\{-?\s*(?:define|template)\b/m.test(written))
    throw new CommandError(`${where}: it is a template of notifications. Name the file with "route" and "receivers"`);
  try {
    return routesIn(nodesOf(file, written));
  } catch (error) {
    if (error instanceof Rejection) throw new CommandError(`${where}, line ${error.at.line}: ${error.reason}`);
    throw error instanceof CommandError ? new CommandError(`${where}: ${error.message}`) : error;
  }
}

/** The keys of a receiver's integrations, such as `slack_configs`. */
export const integrationsOf = ({ keys }: SourceNode) => keys.filter((key) => key !== "name" && key !== "labels");

/** Whether a receiver of Alertmanager has no integrations, so that nobody is notified. */
export const isSilent = (receiver: SourceNode) =>
  integrationsOf(receiver).every((key) => Array.isArray(receiver.at(key).value) && receiver.at(key).items.length === 0);

const expected =
  'an Alertmanager configuration with "route" and "receivers", or a list of entries with "matchers" and "name"';

function routesIn(nodes: readonly (SourceNode | Rejection)[]): Route {
  const read = nodes.map((node) => {
    if (node instanceof Rejection) throw node;
    return node;
  });
  const [node, second] = read;
  if (node === undefined) throw new CommandError(`it is empty. Write ${expected}`);
  if (node.key.startsWith("[")) {
    const routes = read.map((each) => routeIn(each));
    return { receiver: { name: "", silence: "no route matches" }, matchers: [], continues: false, routes, limits: "" };
  }
  if (second !== undefined) throw new Rejection(second, "there is a second document: write one");
  const root = node.at("route");
  if (!root.exists) throw new Rejection(node, `there is no "route". Write ${expected}`);
  const receivers = node.at("receivers").items.map((each): readonly [string, Receiver] => {
    const name = each.at("name").text;
    if (!name) throw new Rejection(each, "the receiver has no name");
    return [name, { name, ...(isSilent(each) && { silence: `the receiver ${quote(name)} has no integrations` }) }];
  });
  const route = routeIn(root, new Map(receivers));
  if (route.matchers.length > 0 || route.limits !== "")
    throw new Rejection(root, "the first route is for all alerts at any time: remove its matchers and time intervals");
  return route;
}

const names = sequence(text).default([]);
const table = mapping({
  ...{ name: text.optional(), receiver: text.optional(), continue: truth.default(false), matchers: names },
  ...{ match: textMapping.optional(), match_re: textMapping.optional(), routes: sequence(anything).default([]) },
  ...{ mute_time_intervals: names, active_time_intervals: names },
  // They decide how a receiver is notified.
  ...{ group_by: anything, group_wait: anything, group_interval: anything },
  ...{ repeat_interval: anything, labels: anything },
});

/** @param receivers Absent in a list, in which any name may stand. */
function routeIn(node: SourceNode, receivers?: ReadonlyMap<string, Receiver>, outer?: Receiver, depth = 0): Route {
  if (depth > 100) throw new Rejection(node, "there are more than 100 routes inside one another");
  const read = node.read(table, (at, key) => {
    throw new Rejection(at, `${quote(key)} is not a setting of a route`);
  });
  const name = read.receiver ?? (receivers === undefined ? read.name : undefined);
  const receiver = name ? (receivers ? receivers.get(name) : { name }) : outer;
  if (receiver === undefined && name)
    throw new Rejection(node.at("receiver"), `the receiver ${quote(name)} is not one of "receivers"`);
  if (receiver === undefined) throw new Rejection(node, `the route has no "${receivers ? "receiver" : "name"}"`);
  const checked = <T>(at: SourceNode, matcher: () => T): T => {
    try {
      return matcher();
    } catch (error) {
      throw new Rejection(at, (error as Error).message); // It throws nothing else.
    }
  };
  const older = (key: "match" | "match_re", sign: string) =>
    Object.entries(read[key] ?? {}).map(([label, value]) =>
      checked(node.at(key, label), () => alertMatcher(label, sign, value)),
    );
  const intervals = { active: read.active_time_intervals, muted: read.mute_time_intervals };
  return {
    receiver,
    matchers: [
      ...read.matchers.flatMap((each, i) => checked(node.at("matchers", i), () => alertMatchersIn(each))),
      ...older("match", "="),
      ...older("match_re", "=~"),
    ],
    continues: read.continue,
    routes: node.at("routes").items.map((each) => routeIn(each, receivers, receiver, depth + 1)),
    limits: Object.entries(intervals)
      .flatMap(([verb, all]) => (all.length === 0 ? [] : [`${verb} in ${listed(all.map(quote))}`]))
      .join(", "),
  };
}
