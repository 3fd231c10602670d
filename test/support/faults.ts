import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { atEnd } from "./ends.js";
import { request } from "./http.js";

type Json = Record<string, unknown>;

/** One request as it reached the proxy. */
export interface Arrival {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body if it is JSON, else empty. */
  readonly body: Json;
  readonly dryRun: boolean;
  /** How many requests of this method and path, dry runs apart, have come, this one included. */
  readonly count: number;
}

/** An answer as the service gave it, or as a proxy in front of it would have. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What happens to one request; made by the functions below. */
export interface Fault {
  /** How figures name it. */
  readonly name: string;
  /** Milliseconds that the request waits before anything else. */
  readonly delayMs?: number;
  /** Work that is finished before the request goes on. */
  readonly meanwhile?: () => Promise<unknown>;
  /** Whether the service gets the request. */
  readonly reaches: boolean;
  /** The path and query that the service gets, and the body. */
  readonly path?: (path: string) => string;
  readonly text?: (text: string) => string;
  /** What the client gets; a socket that is reset, never answered, kept open until `release`, or cut in the middle. */
  readonly then: "answer" | "reset" | "silence" | "hold" | "cut";
  readonly reply?: (reply: Reply) => Reply;
}

const json = (status: number, body: unknown, headers: IncomingHttpHeaders = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  text: JSON.stringify(body),
});
const page: Reply = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  text: "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to go on</body></html>",
};
const before = (name: string, reply: Reply): Fault => ({ name, reaches: false, then: "answer", reply: () => reply });
const after = (name: string, reply: (reply: Reply) => Reply): Fault => ({ name, reaches: true, then: "answer", reply });

export const pass: Fault = { name: "pass", reaches: true, then: "answer" };
export const latency = (delayMs: number): Fault => ({ ...pass, name: "latency", delayMs });
/** Lets something else happen between the request's arrival and what the fault does. */
export const meanwhile = (work: () => Promise<unknown>, fault: Fault = pass): Fault => ({ ...fault, meanwhile: work });
/** 429 without `Retry-After`, or with one: seconds or a date. */
export const rateLimited = (retryAfter?: string): Fault =>
  before(
    "rate limited",
    json(429, { code: 8, message: "slow down" }, retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  );
/** Answered in the service's place. */
export const failing = (
  status: number,
  body: unknown = { message: "failed before" },
  headers: IncomingHttpHeaders = {},
): Fault => before(`${status} before`, json(status, body, headers));
/** The service has done it, and the answer is another. */
export const failingAfter = (status: number): Fault =>
  after(`${status} after`, () => json(status, { message: "failed after" }));
export const resetBefore: Fault = { name: "reset before", reaches: false, then: "reset" };
export const resetAfter: Fault = { name: "reset after", reaches: true, then: "reset" };
/** The connection ends in the middle of the answer. */
export const cutShort: Fault = { name: "cut short", reaches: true, then: "cut" };
/** Whole for HTTP, but half of the JSON. */
export const halfOfTheJson: Fault = after("half of the JSON", (reply) => ({
  ...reply,
  text: reply.text.slice(0, Math.floor(reply.text.length / 2)),
}));
/** A page of a sign-in or a gateway, in the service's place or in its answer's place. */
export const html = (status: number): Fault => before(`${status} HTML before`, { ...page, status });
export const htmlAfter = (status: number): Fault => after(`${status} HTML after`, () => ({ ...page, status }));
export const empty: Fault = before("{} before", json(200, {}));
export const emptyAfter: Fault = after("{} after", () => json(200, {}));
/** Success without a word, in the service's place or in its answer's place. */
export const nothing: Fault = before("nothing before", { status: 200, headers: {}, text: "" });
export const nothingAfter: Fault = after("nothing after", () => ({ status: 200, headers: {}, text: "" }));
/** An error with the status of a success. */
export const errorBody: Fault = before("200 with an error", json(200, { code: 13, message: "no backend" }));
/** The answer to somebody else's request for another object. */
export const mixedUp: Fault = edited("mixed up", aboutOthers);
/** A connection that stays open and never answers. */
export const silent: Fault = { name: "silent", reaches: false, then: "silence" };
export const silentAfter: Fault = { name: "silent after", reaches: true, then: "silence" };
/** The answer waits until `release`. */
export const held: Fault = { name: "held", reaches: true, then: "hold" };
/** A service, or a gateway before it, that takes a dry run for a write. */
export const ignoringDryRuns: Fault = {
  ...pass,
  name: "ignoring dry runs",
  text: (text) => text.replace('"dry_run":true', '"dry_run":false'),
};
/** A service that knows no array parameters. */
export const withoutArrays: Fault = {
  ...pass,
  name: "without arrays",
  path: (path) => path.replace(/(?<=[?&])(?:slugs|names)=[^&]*&?/g, ""),
};
export const withoutPage: Fault = edited("without page", ({ page: _page, ...rest }) => rest);
/** The service is elsewhere under this address. */
export const wrongBasePath: Fault = { ...pass, name: "wrong base path", path: (path) => `/elsewhere${path}` };

/** The service's answer, changed. */
export function edited(name: string, edit: (body: Json) => Json): Fault {
  return after(name, (reply) => ({ ...reply, text: JSON.stringify(edit(parse(reply.text))) }));
}

/** The service's answer, with another value in each field of this name; undefined leaves it out. */
export const withField = (field: string, change: (value: unknown) => unknown): Fault =>
  edited(`another ${field}`, (body) =>
    JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === field ? change(value) : value)),
  );

/** The same about objects of other slugs. */
function aboutOthers(body: Json): Json {
  const another = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(another)
      : typeof value === "object" && value !== null && "slug" in value
        ? { ...value, slug: `not-${String(value.slug)}` }
        : value;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, another(value)]));
}

/** Makes a service another one: it changes what reaches the service, and what the service answers. */
export interface Layer {
  request(arrival: Arrival, text: string): string;
  reply(arrival: Arrival, reply: Reply): Reply;
}

/** Decides over each request as it arrives; nothing means that it passes. */
export type Rule = (arrival: Arrival) => Fault | undefined;

/** A request that changes something. */
export const isWrite = ({ method, dryRun }: Pick<Arrival, "method" | "dryRun">): boolean => method !== "GET" && !dryRun;

/** One fault for all requests of a method, or for the first so many of each method and path. */
export const on =
  ({ method, first = Infinity }: { method?: string; first?: number }, fault: Fault): Rule =>
  (arrival) =>
    (method === undefined || arrival.method === method) && arrival.count <= first ? fault : undefined;

/** One fault after another, whatever is asked; then everything passes. */
export function script(faults: readonly Fault[]): Rule {
  const rest = [...faults];
  return () => rest.shift();
}

export type FaultProxy = Awaited<ReturnType<typeof ownProxy>>;

const transparent: Layer = { request: (_, text) => text, reply: (_, reply) => reply };

/**
 * A proxy on this machine in front of the service at `target`, which breaks what its rule says, and counts. It is ended with
 * the test file.
 * @param layer Stands between the faults and the service.
 */
export async function ownProxy(target: string, layer: Layer = transparent) {
  let rule: Rule = () => undefined;
  let arrivals: Arrival[] = [];
  let counts = new Map<string, number>();
  let underWay = 0;
  let most = 0;
  let waiting: (() => void)[] = [];

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    underWay += 1;
    most = Math.max(most, underWay);
    outgoing.once("close", () => (underWay -= 1));
    const text = await textOf(incoming);
    const arrival = arrivalOf(incoming, text, counts);
    arrivals.push(arrival);
    const fault = rule(arrival) ?? pass;
    await fault.meanwhile?.();
    if (fault.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const path = fault.path?.(incoming.url ?? "/") ?? incoming.url ?? "/";
    const ask = async () =>
      layer.reply(arrival, await forward(target, incoming, path, layer.request(arrival, fault.text?.(text) ?? text)));
    const real = fault.reaches ? await ask() : json(200, {});
    const reply = fault.reply?.(real) ?? real;
    switch (fault.then) {
      case "reset":
        return void outgoing.socket?.resetAndDestroy();
      case "silence":
        return; // The client's own time limit ends it, or the proxy's end.
      case "cut":
        outgoing.writeHead(reply.status, {
          ...endToEnd(reply.headers),
          "content-length": Buffer.byteLength(reply.text) + 1,
        });
        return void outgoing.write(reply.text, () => outgoing.destroy());
      case "hold":
        waiting.push(() => answer(outgoing, reply));
        return;
      case "answer":
        answer(outgoing, reply);
    }
  };

  const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 131_072 }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const listen = (at: number) => once(server.listen(at, "127.0.0.1"), "listening");
  await listen(0);
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server.close(), "close");
    server.closeAllConnections();
    await closed;
  };
  atEnd(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    use: (next: Rule) => {
      rule = next;
    },
    /** Everything that came since the start or the last reset. */
    arrivals: (): readonly Arrival[] => arrivals,
    /** The largest number of requests that were in progress at one time since the last reset. */
    mostAtOnce: () => most,
    /** How many answers are held now. */
    heldNow: () => waiting.length,
    /** Gives out the answers that were held. */
    release: () => {
      const ready = waiting;
      waiting = [];
      for (const give of ready) give();
    },
    /** Everything passes again, and nothing has been counted. */
    reset: () => {
      rule = () => undefined;
      arrivals = [];
      counts = new Map();
      most = underWay;
    },
    /** Ends every connection and refuses new ones, until `accept` opens the same port again. */
    refuse: stop,
    accept: async () => void (await listen(port)),
  };
}

function arrivalOf({ method = "", url = "/" }: IncomingMessage, text: string, counts: Map<string, number>): Arrival {
  const [path = "", search = ""] = url.split("?");
  const body = parse(text);
  const query = new URLSearchParams(search);
  const dryRun = body.dry_run === true;
  const key = `${method} ${path} ${dryRun}`;
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return { method, path, query, body, dryRun, count };
}

async function forward(target: string, incoming: IncomingMessage, path: string, text: string): Promise<Reply> {
  const { host: _host, "content-length": _length, ...headers } = endToEnd(incoming.headers);
  const answered = await request(
    new URL(path, target),
    incoming.method ?? "",
    headers as Record<string, string>, // No header that is sent here repeats.
    text === "" ? undefined : text,
  );
  return { ...answered, headers: Object.fromEntries(answered.headers) };
}

function answer(outgoing: ServerResponse, { status, headers, text }: Reply): void {
  outgoing.writeHead(status, { ...endToEnd(headers), "content-length": Buffer.byteLength(text) }).end(text);
}

/** The headers without those that belong to one connection alone. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, "keep-alive": _keepAlive, "transfer-encoding": _encoding, ...rest } = headers;
  return rest;
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Waits until a condition holds; a step of a test, bounded in time, not a fixed sleep. */
export async function until(holds: () => unknown, what: string, limitMs = 120_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
