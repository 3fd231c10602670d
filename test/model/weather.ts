import fc from "fast-check";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { generator } from "../property/random.js";
import { targetOf } from "../support/cases.js";
import * as faults from "../support/faults.js";

/** The conditions under which one operation runs. */
export interface Weather {
  readonly sort: Sort;
  /** The part of all requests that is hit. */
  readonly share: number;
  /** Decides which ones, so that a failure can be replayed. */
  readonly seed: number;
  /** Where something happens once: after how many requests. */
  readonly after: number;
}

export const clear: Weather = { sort: "clear", share: 0, seed: 0, after: 0 };

/** Shorter than what a request may take, longer than what one takes here. */
const shortMs = 20;

/** Faults that hit single requests. */
const single = {
  latency: [faults.latency(shortMs)],
  "429": [faults.rateLimited(), faults.rateLimited(), faults.rateLimited("0"), faults.rateLimited("1")],
  "5xx before": [faults.failing(500), faults.failing(503)],
  "5xx after": [faults.failingAfter(500), faults.failingAfter(503)],
  "reset before": [faults.resetBefore],
  "reset after": [faults.resetAfter],
  "cut off": [faults.cutShort, faults.halfOfTheJson],
  "a page": [200, 404, 502].flatMap((status) => [faults.html(status), faults.htmlAfter(status)]),
  "half open": [faults.silent, faults.silentAfter],
  "{}": [faults.empty, faults.emptyAfter],
  "no proof": [faults.nothing, faults.nothingAfter, faults.errorBody],
  "mixed up": [faults.mixedUp],
} as const satisfies Record<string, readonly faults.Fault[]>;

/** Things that happen to all requests at one moment. */
const once = [
  "refused",
  "service restart",
  "death",
  "rival",
  "successor",
  "twice",
  "ignored dry runs",
  "full disk",
] as const;

/** Tokens that may not do everything: with one the service is away for some questions, and for the others as ever. */
const fewerRights = ["rights for one kind", "no list of notifiers", "no reading", "expired token"] as const;

export type Sort = "clear" | "storm" | keyof typeof single | (typeof once)[number] | (typeof fewerRights)[number];

const hasFewerRights = ({ sort }: Weather) => fewerRights.some((each) => each === sort);

/** Whether every request is answered at once, and as the service means it. */
export const isCalm = (weather: Weather) => weather.sort === "clear" || hasFewerRights(weather);

/** The only kind that a token may touch. */
export const permittedKind = ({ seed }: Weather): Kind | undefined => kinds[seed % kinds.length];

function isForbidden(weather: Weather, { method, path }: faults.Arrival): boolean {
  const target = targetOf(path);
  if (target === undefined) return false;
  switch (weather.sort) {
    case "rights for one kind":
      return target.kind !== permittedKind(weather);
    case "no list of notifiers":
      return method === "GET" && target.kind.name === "Notifier" && target.slug === undefined;
    case "no reading":
      return method === "GET";
    case "expired token":
      return true;
    default:
      return false;
  }
}

const isSingle = (sort: Sort): sort is keyof typeof single => sort in single;
const everything = Object.values<readonly faults.Fault[]>(single).flat();

export const weathers: fc.Arbitrary<Weather> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(clear) },
  {
    weight: 1,
    arbitrary: fc.record({
      sort: fc.constantFrom<Sort[]>(...fewerRights),
      share: fc.constant(1),
      seed: fc.nat(),
      after: fc.constant(0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      sort: fc.constantFrom<Sort[]>("storm", ...(Object.keys(single) as (keyof typeof single)[]), ...once), // its own keys
      share: fc.constantFrom(0.15, 0.4, 0.8),
      seed: fc.nat(),
      after: fc.nat(12),
    }),
  },
);

/** What can be done to a whole process. */
export interface Actions {
  refuse(): Promise<void>;
  restart(): Promise<void>;
  /** Somebody creates an object under a slug. */
  takeSlug(kind: Kind, slug: string): Promise<void>;
  /** Somebody deletes the object under a slug, and creates another one. */
  succeed(kind: Kind, slug: string): Promise<void>;
  /** A gateway delivers a write before it delivers it once more. */
  deliver(path: string, body: unknown): Promise<void>;
  kill(): void;
  /** The disk with the folder that the processes share is full. */
  fill(): void;
}

/** Decides over each request by what it asks and how often that came, not by when: many are in progress at once. */
export function ruleOf(weather: Weather, actions: Actions): faults.Rule {
  const { sort, share, seed, after } = weather;
  let count = 0;
  return (arrival) => {
    count += 1;
    if (isForbidden(weather, arrival)) return sort === "expired token" ? expired : forbidden;
    const random = generator(seed ^ hashOf(`${arrival.method} ${arrival.dryRun} ${placeOf(arrival)} ${arrival.count}`));
    if (isSingle(sort) || sort === "storm") {
      if (random() >= share) return undefined;
      const choices = isSingle(sort) ? single[sort] : everything;
      const fault = choices[Math.floor(random() * choices.length)];
      const isLeftOut = [isBelieved, hidesFields, mixesUpAll].some(
        (test) => fault !== undefined && test(arrival, fault),
      );
      return isLeftOut ? undefined : fault;
    }
    if (sort === "ignored dry runs") return arrival.dryRun ? faults.ignoringDryRuns : undefined;
    if (sort === "rival" || sort === "successor" || sort === "twice") return betweenOf(sort, arrival, actions);
    if (count !== after + 1) return undefined;
    const before = random() < 0.5;
    switch (sort) {
      case "refused":
        return faults.meanwhile(actions.refuse, before ? faults.resetBefore : faults.resetAfter);
      case "service restart":
        return faults.meanwhile(actions.restart, before ? faults.pass : faults.resetAfter);
      case "death":
        actions.kill();
        return before ? faults.resetBefore : faults.resetAfter;
      case "full disk":
        actions.fill();
        return faults.pass;
      default:
        return undefined;
    }
  };
}

/** What happens between our look at an object and our write, which does not arrive at first, or arrives twice. */
function betweenOf(
  sort: "rival" | "successor" | "twice",
  { method, dryRun, path, body, count }: faults.Arrival,
  actions: Actions,
): faults.Fault | undefined {
  const target = targetOf(path);
  if (!["PUT", "DELETE"].includes(method) || dryRun || count > 1 || target?.slug === undefined) return undefined;
  const { kind, slug } = target;
  if (sort === "successor") return faults.meanwhile(() => actions.succeed(kind, slug), faults.failing(503));
  if (body.create_if_missing !== true) return undefined;
  if (sort === "twice") return faults.meanwhile(() => actions.deliver(path, body));
  return faults.meanwhile(() => actions.takeSlug(kind, slug), faults.failing(503));
}

const expired = faults.failing(401, { code: 40101, message: "this token is not valid any more" });
const forbidden = faults.failing(403, { code: 7, message: "this token may not do that" });

/** provider/README.md, decision 21: a gateway that takes over between look and DELETE. */
const isBelieved = ({ method }: faults.Arrival, fault: faults.Fault) => method === "DELETE" && fault === faults.empty;

/**
 * Before an update or an adoption, a page with status 404 that comes twice counts as "this service does not show it": it
 * could not be told from a service without the operation, and then the write erases fields that the schema does not know.
 */
const hidesFields = ({ method, count }: faults.Arrival, fault: faults.Fault) =>
  method === "GET" &&
  count % 2 === 0 &&
  [faults.html(404), faults.htmlAfter(404)].some(({ name }) => name === fault.name);

/** The whole list has no other request whose answer it could get. */
const mixesUpAll = ({ path, query }: faults.Arrival, fault: faults.Fault) =>
  fault === faults.mixedUp && targetOf(path)?.slug === undefined && !query.has("slugs");

function placeOf({ path, query, body }: faults.Arrival): string {
  const object = Object.values(body).find((value) => typeof value === "object" && value !== null);
  return `${path} ${query.getAll("slugs").join()} ${(object as { slug?: unknown } | undefined)?.slug ?? ""}`;
}

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
