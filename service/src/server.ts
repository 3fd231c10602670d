import { resolve as resolvePath } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { type Logger, pino } from "pino";
import { appFor } from "./app.js";
import { Token } from "./auth.js";
import { Counters, type Counts } from "./counters.js";
import { loadDocument, restrict } from "./document.js";
import { StartError } from "./errors.js";
import { drain, httpServer, listen, notUnderstood, urlHost } from "./http.js";
import { keyFrom, keyFromFile, randomKey, type ServiceKey } from "./key.js";
import { operationsOf, type Profile } from "./operations.js";
import { closeSqlite, inMemory, openSqlite } from "./store/sqlite.js";
import { Store } from "./store/store.js";
import { Validator } from "./validate.js";

export type { Counts, RequestCount } from "./counters.js";
export { causes, type ErrorBody, type Problem, StartError } from "./errors.js";
export { mask } from "./secrets.js";

export interface ServiceOptions {
  readonly host?: string;
  /** 0 is any free port. */
  readonly port?: number;
  /** A file, or `:memory:`. */
  readonly database?: string;
  /** The API token; by default the stored one, else a new one. */
  readonly token?: string;
  /** The key of the secrets, 32 bytes in base64; by default in the key file next to the database. */
  readonly key?: string;
  /** `described`: only the operations that the API spec describes. */
  readonly operations?: Profile;
  /** Rejects unknown fields and query parameters; by default they are ignored. */
  readonly strict?: boolean;
  /** Rejects queries that are not valid PromQL, unless only the described operations are served. Default true. */
  readonly queryCheck?: boolean;
  /** Answers secrets in plain text; by default they are masked. */
  readonly showSecrets?: boolean;
  /** Default: silent. */
  readonly log?: Logger;
}

export const defaults = {
  host: "127.0.0.1",
  port: 0,
  database: inMemory,
  operations: "all",
  strict: false,
  queryCheck: true,
  showSecrets: false,
} as const satisfies ServiceOptions;

export interface Service {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  readonly port: number;
  /** Empty if the database has a token already and none was given. */
  readonly token: string;
  /** Whether the token is new. */
  readonly tokenIsNew: boolean;
  /** Requests to `/api/` since the start or the last reset. */
  counters(): Counts;
  resetCounters(): void;
  /** Answers running requests, rejects new ones, and closes the database. */
  close(): Promise<void>;
}

/** Starts a service. Any number can run in one process. Throws StartError if it cannot start. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const settings = { ...defaults, ...options };
  const { host, operations: profile, strict, queryCheck } = settings;
  const document = loadDocument();
  const operations = operationsOf(document, profile);
  const kinds = [...new Set(operations.map(({ kind }) => kind))];
  const validator = new Validator(document, { strict, parsesQueries: queryCheck && profile === "all" });

  // Listens before it opens the database: if the port is taken, the database keeps its token. What follows is synchronous
  // up to `server.on("request")`, so no request comes too early.
  const server = httpServer();
  const port = await listen(server, host, settings.port);
  let opened: ReturnType<typeof openStore>;
  try {
    opened = openStore(settings);
  } catch (error) {
    server.close();
    throw error;
  }
  const { store, key, token, closeStore } = opened;
  const log = settings.log ?? pino({ level: "silent" });
  const counters = new Counters();
  let draining = false;
  const app = appFor({
    context: { store, key, showSecrets: settings.showSecrets, kinds },
    operations,
    servedDocument: profile === "all" ? document : restrict(document),
    validator,
    strict,
    token,
    counters,
    isDraining: () => draining,
    log,
  });
  const errorHandler = (error: unknown) => {
    const { status, body } = notUnderstood((error as Error).message); // The library throws nothing but errors.
    return Response.json(body, { status });
  };
  // A library must not replace its host's Request and Response.
  server.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler }));

  let closed: Promise<void> | undefined;
  const close = async () => {
    draining = true;
    await drain(server);
    closeStore();
  };
  return {
    url: `http://${urlHost(host)}:${port}`,
    port,
    token: token.text,
    tokenIsNew: token.isNew,
    counters: () => counters.counts(),
    resetCounters: () => counters.reset(),
    close: () => (closed ??= close()),
  };
}

type StoreSettings = Pick<ServiceOptions, "key" | "token"> & { readonly database: string };

/** Opens the database with its key and token. Throws StartError if they do not belong together. */
function openStore({ database, key: given, token }: StoreSettings) {
  const file = database === inMemory ? inMemory : resolvePath(database);
  const sqlite = openSqlite(file);
  const store = new Store(sqlite);
  const closeStore = () => closeSqlite(sqlite);
  try {
    return { store, key: keyOf(store, file, given), token: new Token(store, token), closeStore };
  } catch (error) {
    closeStore();
    throw error;
  }
}

function keyOf(store: Store, file: string, given: string | undefined): ServiceKey {
  const sealed = store.setting("key_check");
  const key =
    given !== undefined
      ? keyFrom(given, "OBSERVABILITY_SERVICE_KEY")
      : file === inMemory
        ? randomKey()
        : keyFromFile(keyFileOf(file), { mayMake: sealed === undefined });
  try {
    if (sealed === undefined) store.setSetting("key_check", key.seal("this key"));
    else key.open(sealed);
    return key;
  } catch {
    throw new StartError(
      `the key can't decrypt the secrets in "${file}"; start with the original key, in "${keyFileOf(file)}" or OBSERVABILITY_SERVICE_KEY`,
    );
  }
}

/** The key file of a database, used if no key is given. */
export function keyFileOf(database: string): string {
  return `${database}.key`;
}
