import fc from "fast-check";
import { generator } from "../property/arbitraries.js";
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
} as const satisfies Record<string, readonly faults.Fault[]>;

/** Things that happen to all requests at one moment. */
const once = ["refused", "service restart", "death"] as const;

export type Sort = "clear" | "storm" | keyof typeof single | (typeof once)[number];

const isSingle = (sort: Sort): sort is keyof typeof single => sort in single;
const everything = Object.values<readonly faults.Fault[]>(single).flat();

export const weathers: fc.Arbitrary<Weather> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(clear) },
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
  kill(): void;
}

/** Decides over each request by what it asks and how often that came, not by when: many are under way at once. */
export function ruleOf({ sort, share, seed, after }: Weather, actions: Actions): faults.Rule {
  let count = 0;
  return (arrival) => {
    count += 1;
    const random = generator(seed ^ hashOf(`${arrival.method} ${arrival.dryRun} ${placeOf(arrival)} ${arrival.count}`));
    if (isSingle(sort) || sort === "storm") {
      if (random() >= share) return undefined;
      const choices = isSingle(sort) ? single[sort] : everything;
      const fault = choices[Math.floor(random() * choices.length)];
      return fault !== undefined && isBelieved(arrival, fault) ? undefined : fault;
    }
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
      case "clear":
        return undefined;
    }
  };
}

/** provider/README.md, decision 10: a gateway that takes over in the middle of a run and says that it has deleted. */
const isBelieved = ({ method }: faults.Arrival, fault: faults.Fault) => method === "DELETE" && fault === faults.empty;

function placeOf({ path, query, body }: faults.Arrival): string {
  const object = Object.values(body).find((value) => typeof value === "object" && value !== null);
  return `${path} ${query.getAll("slugs").join()} ${(object as { slug?: unknown } | undefined)?.slug ?? ""}`;
}

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
