import type { Service } from "@pulumi-observability/service";
import { expect } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { caseOf, idOf, targetOf } from "./cases.js";
import * as faults from "./faults.js";
import { usualOrDeep } from "./figures.js";
import { ask, live as objectIn } from "./service.js";

// Services that all keep the interface document, and differ in what it does not show.

type Json = Record<string, any>;

/** What stands between a service and its clients. */
interface Parts extends Partial<faults.Layer> {
  readonly rule?: faults.Rule;
}

export interface Dialect {
  readonly of: (service: Service) => Parts;
  /** What is reported of the values that the service stores in another form. */
  readonly report?: RegExp | undefined;
}

type Changed = Partial<faults.Reply>;

const plain: Dialect = { of: () => ({}) };
const rule = (each: faults.Rule): Dialect => ({ of: () => ({ rule: each }) });
const paths = (from: RegExp, to: string) => rule(() => ({ ...faults.pass, path: (each) => each.replace(from, to) }));
const replies = (as: (reply: faults.Reply, arrival: faults.Arrival) => Changed): Dialect => ({
  of: () => ({ reply: (arrival, reply) => ({ ...reply, ...as(reply, arrival) }) }),
});
const successes = (as: (reply: faults.Reply, arrival: faults.Arrival) => Changed) =>
  replies((reply, arrival) => (reply.status < 300 ? as(reply, arrival) : {}));
const writes = (reply: Changed) => successes((_, { method }) => (method === "GET" ? {} : reply));
const dryRuns = (reply: Changed) => successes((_, { dryRun }) => (dryRun ? reply : {}));
const errors = (as: (reply: faults.Reply, arrival: faults.Arrival) => Changed) =>
  replies((reply, arrival) => (reply.status < 400 ? {} : as(reply, arrival)));
const status = (from: number, to: number) => errors((reply) => ({ status: reply.status === from ? to : reply.status }));
/** Shows other values than it has; inner values come first. */
const shown = (as: (key: string, value: any) => unknown) =>
  successes(({ text }) => ({ text: JSON.stringify(JSON.parse(text, as)) }));
const times = (as: (ms: number, key: string) => unknown) =>
  shown((key, value) => (/^(?:created|updated)_at$/.test(key) ? as(Date.parse(value), key) : value));
const secrets = (text: string) => successes((reply) => ({ text: reply.text.replaceAll('"**REDACTED**"', text) }));
/** Stores other values than it gets. */
const stored = (report: RegExp | undefined, as: (key: string, value: any) => unknown): Dialect => ({
  of: () => ({ request: (_, text) => (text === "" ? text : JSON.stringify(JSON.parse(text, as))) }),
  report,
});
const everyNinth = (fault: () => faults.Fault): Dialect => ({
  of: () => {
    let count = 0;
    return { rule: () => (++count % 9 === 0 ? fault() : undefined) };
  },
});

const kindAt = (path: string) => {
  const { kind, slug } = targetOf(path) ?? expect.fail(`no kind has the path ${path}`);
  return { kind, isList: kind.wire.many !== undefined && slug === undefined };
};
const many = new Set(kinds.map(({ wire }) => wire.many));
const lists = (as: (objects: Json[]) => unknown) => shown((key, value) => (many.has(key) ? as(value) : value));
const page = (last: unknown) => shown((key, value) => (key === "page" && value.next_token === "" ? last : value));
const enumerations = /^(?:type|op|active|match|match_type|comparison|responder_type)$/;
const isEnumeration = (key: string, value: unknown) => enumerations.test(key) && typeof value === "string";
const isZero = (value: unknown) => value === 0 || value === false || value === "";
const isMap = (value: unknown) => value?.constructor === Object;
const asError = (type: string, body: unknown) => ({
  headers: { "content-type": type },
  text: typeof body === "string" ? body : JSON.stringify(body),
});

/** Longer in deep runs; about as long as the provider looks again. */
const lagMs = usualOrDeep(500, 3_000);
/** Reads show the one object of a kind for a moment as it was before a write. */
const lagging = (isLate: (isList: boolean) => boolean, firstWrite = faults.pass): Dialect => ({
  of: (service) => {
    const past = new Map<string, { readonly until: number; readonly object: Json | undefined }>();
    const remember = async (kindName: string, isLost: boolean) => {
      const object = await objectIn(service, kindName, idOf(caseOf(kindName)));
      // After a lost answer until the write is repeated, however slow this machine is.
      past.set(kindName, { until: isLost ? Infinity : Date.now() + lagMs, object });
    };
    return {
      rule: ({ method, dryRun, path, count }) => {
        if (method === "GET" || dryRun) return undefined;
        const fault = count === 1 && method !== "DELETE" ? firstWrite : faults.pass;
        return faults.meanwhile(() => remember(kindAt(path).kind.name, fault !== faults.pass), fault);
      },
      reply: ({ method, path }, reply) => {
        const { kind, isList } = kindAt(path);
        const { until = 0, object } = past.get(kind.name) ?? {};
        if (method !== "GET" || !isLate(isList) || Date.now() > until) return reply;
        const body = isList
          ? { [String(kind.wire.many)]: object === undefined ? [] : [object], page: {} }
          : object === undefined
            ? { code: 40401, message: "not found" }
            : { [kind.wire.one]: object };
        return { ...reply, status: isList || object ? 200 : 404, text: JSON.stringify(body) };
      },
    };
  },
});

/** By what they are about, in the order in which answers pass them. Those about different things are also combined. */
export const dialects: readonly Readonly<Record<string, Dialect>>[] = [
  {
    "is plain": plain,
    "reads late": lagging((isList) => !isList),
    "lists late": lagging((isList) => isList),
    "reads late, and loses the answers to first writes": lagging(() => true, faults.resetAfter),
    "deletes late": {
      of: (service) => ({
        rule: (arrival) => {
          if (arrival.method !== "DELETE") return undefined;
          setTimeout(() => void ask(service, "DELETE", arrival.path), lagMs).unref();
          return { ...faults.nothing, reply: () => ({ status: 202, headers: {}, text: "" }) };
        },
      }),
    },
    "limits the rate, with seconds": everyNinth(() => faults.rateLimited("0")),
    "limits the rate, with a date": everyNinth(() => faults.rateLimited(new Date().toUTCString())),
    "limits the rate, with RateLimit-Reset": everyNinth(() => faults.failing(429, {}, { "ratelimit-reset": "0" })),
    "has no Date": replies(({ headers: { date: _, ...headers } }) => ({ headers })),
  },
  {
    "ends lists without next_token": page({}),
    "ends lists with next_token null": page({ next_token: null }),
    "ends lists with page null": page(null),
    "lists in pages of one": paths(/max_size=\d+/, "max_size=1"),
    "lists in any order": lists((objects) => objects.reverse()),
    "lists null for nothing": lists((objects) => (objects.length === 0 ? null : objects)),
    "ignores filters": rule(() => faults.withoutArrays),
    "expects another encoding of filters": replies(({ text }, { query }) =>
      query.has("slugs") ? { text: JSON.stringify({ page: {} }) } : { text },
    ),
    "shows objects by lists alone": rule(({ method, path }) => {
      const { kind, isList } = kindAt(path);
      return method === "GET" && !isList && !kind.isSingleton ? faults.failing(405, "") : undefined;
    }),
    "shows objects by lists alone, and answers 404 to the rest": rule(({ method, path }) => {
      const { kind, isList } = kindAt(path);
      return method === "GET" && !isList && !kind.isSingleton ? faults.failing(404, "") : undefined;
    }),
    "lists summaries": lists((objects) =>
      objects.map(({ slug, name, created_at, updated_at }) => ({ slug, name, created_at, updated_at })),
    ),
  },
  {
    "fills in labels": shown((key, value) => (key === "labels" && isMap(value) ? { ...value, filled: "in" } : value)),
    "shows numbers as strings": shown((_, value) => (typeof value === "number" ? String(value) : value)),
    "shows enumerations with a prefix": shown((key, value) => (isEnumeration(key, value) ? `PREFIX_${value}` : value)),
    "omits zeros": shown((_, value) => (isZero(value) ? undefined : value)),
    "shows null for what is not set": shown((_, value) =>
      isMap(value) && "created_at" in value ? { description: null, labels: null, ...value } : value,
    ),
    "writes empty objects as arrays": shown((key, value) =>
      key !== "" && isMap(value) && Object.keys(value).length === 0 ? [] : value,
    ),
    "shows unknown fields": shown((key, value) => (isMap(value) && "slug" in value ? { ...value, etag: "7" } : value)),
    "upper-cases the keys of labels": stored(/erases: labels\.team "checkout"/, (key, value) =>
      key === "labels" && isMap(value)
        ? Object.fromEntries(Object.entries(value).map(([label, text]) => [label.toUpperCase(), text]))
        : value,
    ),
    "rounds numbers": stored(/objective 99\.9 → 99/, (key, value) => (key === "objective" ? Math.floor(value) : value)),
    "trims and upper-cases names": stored(/name "Checkout errors" → "CHECKOUT ERRORS"/, (key, value) =>
      key === "name" && /^Checkout|^Shop/.test(value) ? value.trim().toUpperCase() : value,
    ),
    "sorts names": stored(undefined, (key, value) => (key === "metric_names" ? [...value].sort().reverse() : value)),
  },
  {
    "has exact times": plain,
    "has times in seconds": times((ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`),
    "has times with an offset": times((ms) => new Date(ms + 7_200_000).toISOString().replace("Z", "+02:00")),
    "has times in nanoseconds": times((ms) => new Date(ms).toISOString().replace("Z", "123456Z")),
    "rounds times that writes show exactly": {
      of: (service) => {
        const exact = times((ms) => new Date(ms - 1).toISOString().replace("Z", "612345Z")).of(service);
        return {
          reply: (arrival, reply) => (arrival.method === "GET" ? reply : (exact.reply?.(arrival, reply) ?? reply)),
        };
      },
    },
    "has seconds since the epoch": times((ms) => Math.floor(ms / 1000)),
    "has no times": times(() => undefined),
    "has times behind its Date": times((ms, key) =>
      new Date(ms + (key === "updated_at" ? 1 : 0) - 5_000).toISOString(),
    ),
    "reads its clock twice": times((ms, key) => new Date(key === "updated_at" ? ms + 1 : ms).toISOString()),
  },
  {
    "omits secrets": secrets("null"),
    "shows empty secrets": secrets('""'),
    "shows the end of secrets": secrets('"****7q"'),
    "hides secrets in its own way": secrets('"<hidden>"'),
  },
  {
    "answers 200": plain,
    "answers 201": writes({ status: 201 }),
    "answers 202": successes(() => ({ status: 202 })),
    "answers writes with 204": writes({ status: 204, text: "" }),
    "answers writes without the object": writes({ text: "{}" }),
    "answers writes with a part of the object": successes(({ text }, { method, dryRun }) => {
      if (method !== "PUT" || dryRun) return {};
      const [[name, object]] = Object.entries<Json>(JSON.parse(text)) as [[string, Json]]; // the one object
      const { slug, name: called, created_at, updated_at } = object;
      return { text: JSON.stringify({ [name]: { slug, name: called, created_at, updated_at } }) };
    }),
    "answers with warnings": successes(({ text }, { dryRun }) =>
      text.includes("created_at") && !dryRun
        ? { text: text.replace(/\}$/, ',"errors":[{"severity":"warning","message":"slow"}],"error":{}}') }
        : {},
    ),
    "begins answers with a byte order mark": successes(({ text }) => (text === "" ? {} : { text: `\ufeff${text}` })),
    "answers dry runs with null": dryRuns({ text: "null" }),
    "answers dry runs with 204": dryRuns({ status: 204, text: "" }),
    "answers dry runs with the object": successes(({ text }, { dryRun, body }) => ({
      text: dryRun ? JSON.stringify({ ...body, dry_run: undefined }) : text,
    })),
  },
  {
    "answers 410 for 404": status(404, 410),
    "answers 422 for 400": status(400, 422),
    "answers 400 for 409": status(409, 400),
    "answers 400 to a PUT of nothing": errors(({ status }, { method }) =>
      method === "PUT" && status === 404 ? { status: 400 } : {},
    ),
    "answers 200 with null for a missing object": errors(({ status, text }, { method, path }) => {
      const { kind, isList } = kindAt(path);
      if (status !== 404 || method !== "GET" || isList || text.includes("40402")) return {};
      return { status: 200, text: JSON.stringify({ [kind.wire.one]: null }) };
    }),
    "has errors in an object": errors(({ text }) => asError("application/json", { error: JSON.parse(text) })),
    "has errors as problem+json": errors(({ status }) =>
      asError("application/problem+json", { type: "about:blank", title: "error", status }),
    ),
    "has errors as text": errors(() => asError("text/plain", "it failed")),
    "has errors without a body": errors(() => ({ headers: {}, text: "" })),
  },
];

/** The dialect of this name. */
export const dialectOf = (name: string): Dialect =>
  dialects.find((each) => name in each)?.[name] ?? expect.fail(`there is no dialect "${name}"`);

/** A proxy in front of the service, which makes it speak these dialects, and the settings that such a service needs. */
export async function speaking(service: Service, spoken: readonly Dialect[]) {
  const parts = spoken.map(({ of }) => of(service));
  const proxy = await faults.ownProxy(service.url, {
    request: (arrival, text) => parts.reduce((left, { request }) => request?.(arrival, left) ?? left, text),
    reply: (arrival, given) => parts.reduce((left, { reply }) => reply?.(arrival, left) ?? left, given),
  });
  proxy.use((arrival) =>
    parts.reduce<faults.Fault | undefined>((fault, each) => fault ?? each.rule?.(arrival), undefined),
  );
  return proxy;
}

export const masks = '["****7q", "<hidden>"]';
