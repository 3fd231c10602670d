import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { resolve as resolvePath } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { type Logger, pino } from "pino";
import { appFor } from "./app.js";
import { tokenOf } from "./auth.js";
import { told } from "./constrain.js";
import { Counters, type Counts } from "./counters.js";
import { type Document, loadDocument, restrict } from "./document.js";
import { ApiError, type causes, StartError } from "./errors.js";
import { keyFrom, keyFromFile, randomKey, type ServiceKey } from "./key.js";
import { operationsOf } from "./operations.js";
import { RateLimiter, type RequestLimit } from "./rateLimit.js";
import { inMemory, openSqlite } from "./store/sqlite.js";
import type { Store } from "./store/store.js";
import { Validator } from "./validate.js";

export type { Counts, RequestCount } from "./counters.js";
export { causes, type ErrorBody, type Problem, StartError } from "./errors.js";
export type { RequestLimit } from "./rateLimit.js";
export { mask } from "./secrets.js";

export interface ServiceOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** A file, or `:memory:`, the default. */
  readonly database?: string;
  /** The API token; by default the stored one, else a new one. */
  readonly token?: string;
  /** The key of the secrets, 32 bytes in base64; by default the key file beside the database. */
  readonly key?: string;
  /** `described`: only the operations that the interface document describes. Default `all`. */
  readonly operations?: "described" | "all";
  /** Refuses unknown fields; by default they are ignored. */
  readonly strict?: boolean;
  /** Refuses queries that are no PromQL, unless only the described operations are served. Default true. */
  readonly queryCheck?: boolean;
  /** Answers secrets in clear; by default they are masked. */
  readonly showSecrets?: boolean;
  /** More requests get 429. Default: no limit. */
  readonly requestLimit?: RequestLimit;
  /** In bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** The interface document or its path; by default the generated one. */
  readonly document?: Document | string;
  /** Default: silent. */
  readonly log?: Logger;
}

export interface Service {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  readonly port: number;
  /** Empty if the database has a token already and none was given. */
  readonly token: string;
  /** Whether the token was made now. */
  readonly tokenIsNew: boolean;
  /** Requests to `/api/` since the start or the last reset. */
  counters(): Counts;
  resetCounters(): void;
  /** Answers running requests, refuses new ones, and closes the database. */
  close(): Promise<void>;
}

const mebibyte = 1_048_576;
// In bytes. A list request with a thousand ordinary slugs must fit into a URL; Node's default is 16 KiB.
const headerLimit = 131_072;
// Longer than clients keep idle connections, so that the client closes them and no request meets a closed one.
const keepAliveMs = 75_000;
const drainMs = 10_000;

/** Starts a service. Any number can run in one process. Throws StartError if it cannot start. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { host = "127.0.0.1", port = 0, operations: profile = "all", log = pino({ level: "silent" }) } = options;
  const { strict = false, queryCheck = true } = options;
  const document = typeof options.document === "object" ? options.document : loadDocument(options.document);
  const operations = operationsOf(document);
  const titles = new Map(operations.map(({ kind }) => [kind.name, kind.title]));
  const served = operations.filter(({ described }) => described || profile === "all");

  const { store, key } = await openStore(options);
  try {
    const token = await tokenOf(store, options.token);
    const counters = new Counters();
    let draining = false;
    const app = appFor({
      context: {
        store,
        key,
        showSecrets: options.showSecrets ?? false,
        // A database may hold a kind that another document has.
        titleOf: (kind) => titles.get(kind) ?? kind,
      },
      operations,
      served: new Set(served),
      servedDocument: restrict(
        told(document, { strict }),
        (operation) => operation["x-described"] || profile === "all",
      ),
      validator: new Validator(document, { strict, parsesQueries: queryCheck && profile === "all" }),
      token,
      limiter: options.requestLimit && new RateLimiter(options.requestLimit),
      counters,
      bodyLimit: options.bodyLimit ?? mebibyte,
      isDraining: () => draining,
      log,
    });
    const listener = getRequestListener(app.fetch, {
      hostname: host,
      // A library must not replace its host's Request and Response.
      overrideGlobalObjects: false,
      errorHandler: () => rejection("invalid", "the request is not HTTP as it should be"),
    });
    const server = createServer({ maxHeaderSize: headerLimit, keepAliveTimeout: keepAliveMs }, listener);
    server.on("clientError", refuseBroken);
    const bound = await listen(server, host, port);

    let closed: Promise<void> | undefined;
    const close = async () => {
      draining = true;
      await drain(server);
      await store.close();
    };
    return {
      url: `http://${urlHost(host)}:${bound}`,
      port: bound,
      token: token.text,
      tokenIsNew: token.isNew,
      counters: () => counters.counts(),
      resetCounters: () => counters.reset(),
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the database and the key of its secrets. Throws StartError if they do not belong together. */
async function openStore({
  database = inMemory,
  key: given,
}: ServiceOptions): Promise<{ store: Store; key: ServiceKey }> {
  const file = database === inMemory ? inMemory : resolvePath(database);
  const store = await openSqlite(file);
  try {
    return { store, key: await keyOf(store, file, given) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function keyOf(store: Store, file: string, given: string | undefined): Promise<ServiceKey> {
  const sealed = await store.setting("key_check");
  const key =
    given !== undefined
      ? keyFrom(given, "OBSERVABILITY_SERVICE_KEY")
      : file === inMemory
        ? randomKey()
        : keyFromFile(keyFileOf(file), { mayMake: sealed === undefined });
  if (sealed === undefined) {
    await store.setSetting("key_check", key.seal("this key", "key_check"));
    return key;
  }
  try {
    key.open(sealed, "key_check");
  } catch {
    throw new StartError(
      `the key does not open the secrets in "${file}"; start with the key that wrote them, in "${keyFileOf(file)}" or OBSERVABILITY_SERVICE_KEY`,
    );
  }
  return key;
}

/** The key file of a database, used if no key is given. */
export function keyFileOf(database: string): string {
  return `${database}.key`;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => fail(new StartError(whyNotListening(error, host, port))));
    server.listen(port, host, () => done((server.address() as AddressInfo).port)); // the address of a TCP server
  });
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const what = `unable to listen on ${host} port ${port}`;
  if (code === "EADDRINUSE") return `${what}: it is in use; choose another with --port`;
  if (code === "EACCES") return `${what}: this user may not; choose a port above 1023 with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${what}: this machine has no such address; choose another with --host`;
  return `${what}: ${message}`;
}

/** Closes idle connections now and busy ones after their answer, at the latest after 10 s. */
function drain(server: Server): Promise<void> {
  return new Promise((done) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(giveUp);
      done();
    });
  });
}

/** Answers a request that is not valid HTTP in the routes' form, although it never reaches them. */
function refuseBroken({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
  const error =
    code === "HPE_HEADER_OVERFLOW"
      ? new ApiError("headersTooLarge", `the address and headers have more than ${headerLimit} bytes`)
      : new ApiError("invalid", "the request is not HTTP as it should be");
  const body = JSON.stringify(error.body);
  socket.end(
    [
      `HTTP/1.1 ${error.status} Refused`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Date: ${new Date().toUTCString()}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function rejection(reason: keyof typeof causes, message: string): Response {
  const error = new ApiError(reason, message);
  return Response.json(error.body, { status: error.status });
}

/** The host for a URL: loopback if the service listens on all addresses; an IPv6 address in brackets. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
