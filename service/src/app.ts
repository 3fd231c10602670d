import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context as HonoContext } from "hono";
import { requestId } from "hono/request-id";
import type { Logger } from "pino";
import type { Token } from "./auth.js";
import { readBody } from "./body.js";
import type { Context } from "./context.js";
import type { Counters, Request } from "./counters.js";
import type { Document } from "./document.js";
import { ApiError, Problems, refused } from "./errors.js";
import { isObject, type JsonObject } from "./json.js";
import type { Operation } from "./operations.js";
import { list, read } from "./reads.js";
import type { Validator } from "./validate.js";
import { create, remove, update } from "./writes.js";

/** Everything that the routes need. */
export interface Parts {
  readonly context: Context;
  readonly operations: readonly Operation[];
  /** The answer to `GET /openapi.json`. */
  readonly servedDocument: Document;
  readonly validator: Validator;
  /** Rejects query parameters that the operation does not have. */
  readonly strict: boolean;
  readonly token: Token;
  /** Throws if this request is one too many. */
  readonly counters: Counters;
  readonly isDraining: () => boolean;
  readonly log: Logger;
}

type Asked = Omit<Request, "status" | "method">;
interface Env {
  Bindings: HttpBindings;
  Variables: { requestId: string; asked: Asked };
}
export type Call = HonoContext<Env>;

const apiRoot = "/api/*";
const unknown: Asked = { operation: null, path: "*", dryRun: false, createIfMissing: false };

export function appFor(parts: Parts): Hono<Env> {
  const { counters, token, isDraining, log } = parts;
  const app = new Hono<Env>();

  // Takes the client's id if it is safe in a header and a log.
  app.use(requestId({ limitLength: 128 }), async (c, next) => {
    const started = performance.now();
    c.set("asked", unknown);
    await next();
    if (isDraining()) c.header("Connection", "close");
    const { method, path } = c.req;
    const ms = Math.round(performance.now() - started);
    log.info({ requestId: c.get("requestId"), method, path, status: c.res.status, ms });
  });
  app.use(apiRoot, async (c, next) => {
    await next();
    const { operation, path, dryRun, createIfMissing } = c.get("asked");
    counters.add({ operation, method: c.req.method, path, dryRun, createIfMissing, status: c.res.status });
  });
  app.use("/-/*", async (c, next) => {
    token.authenticate(c.req.header("API-Token"));
    await next();
  });

  app.get("/healthz", (c) => {
    if (isDraining()) throw draining();
    return c.json({ status: "ok" });
  });
  app.get("/openapi.json", (c) => c.json(parts.servedDocument));
  app.get("/-/counters", (c) => c.json(counters.counts()));
  app.delete("/-/counters", (c) => {
    counters.reset();
    return c.json({});
  });
  addOperations(app, parts);
  app.all(apiRoot, (c) => {
    admit(c, parts);
    throw noSuchRoute(c);
  });
  app.all("*", (c) => {
    throw noSuchRoute(c);
  });
  app.onError((error, c) => {
    const { status, body, headers } = error instanceof ApiError ? error : unexpected(error, c.get("requestId"), log);
    return c.json(body, status, headers);
  });
  return app;
}

function addOperations(app: Hono<Env>, parts: Parts): void {
  for (const path of new Set(parts.operations.map((operation) => operation.path))) {
    const here = parts.operations.filter((operation) => operation.path === path && operation.served);
    const runners = new Map(here.map((operation) => [operation.method, { operation, run: runner(operation, parts) }]));
    // HEAD is answered as GET, without the body.
    const allowed = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    app.all(path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      const { method } = c.req;
      const found = runners.get(method === "HEAD" ? "GET" : method);
      c.set("asked", { ...unknown, path, operation: found?.operation.id ?? null });
      admit(c, parts);
      if (here.length === 0) throw noSuchRoute(c);
      if (found === undefined) {
        throw new ApiError("methodNotAllowed", `${method} is not served on ${c.req.path}, only ${allowed}`, {
          headers: { Allow: allowed },
        });
      }
      if (parts.strict) refuseUnknown(queryOf(c), found.operation);
      return c.json(await found.run(c));
    });
  }
}

/** The first checks of every operation: draining and token. */
function admit(c: Call, { isDraining, token }: Parts): void {
  if (isDraining()) throw draining();
  token.authenticate(c.req.header("API-Token"));
}

function runner(operation: Operation, { context, validator }: Parts): (c: Call) => JsonObject | Promise<JsonObject> {
  const { kind, verb, request = {} } = operation;
  const check = validator.forRequest(request, kind.one);
  const written = async (c: Call) => {
    const { body, problems } = check(await readBody(c.env.incoming));
    const flags = { dryRun: body.dry_run === true, createIfMissing: body.create_if_missing === true };
    c.set("asked", { ...c.get("asked"), ...flags });
    const resource = body[kind.one];
    if (problems.count > 0 || !isObject(resource)) throw refused("invalid", `the ${kind.title} is invalid`, problems);
    return { resource, ...flags };
  };
  const verbs = {
    create: async (c) => create(context, kind, await written(c)),
    update: async (c) => update(context, kind, { ...(await written(c)), slug: c.req.param("slug") }),
    read: (c) => read(context, kind, c.req.param("slug")),
    list: (c) => list(context, operation, queryOf(c)),
    delete: (c) => remove(context, kind, c.req.param("slug")),
  } satisfies Record<Operation["verb"], (c: Call) => JsonObject | Promise<JsonObject>>;
  return verbs[verb];
}

function queryOf(c: Call): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

function refuseUnknown(query: URLSearchParams, { query: known }: Operation): void {
  const problems = new Problems();
  const hint = known.size === 0 ? "this operation has none" : `known parameters: ${[...known].join(", ")}`;
  for (const name of new Set(query.keys())) {
    if (!known.has(name)) problems.add(name, `unknown query parameter; ${hint}`);
  }
  if (problems.count > 0) throw refused("invalid", "the request is invalid", problems);
}

/** Logs an error that is not a rejection, and returns the answer for the client. */
function unexpected(error: Error, requestId: string, log: Logger): ApiError {
  const { code = "" } = error as NodeJS.ErrnoException;
  // A quota and a limit on file sizes look like a broken disk to SQLite.
  const [cause, message] = /^SQLITE_(FULL$|IOERR_)/.test(code)
    ? (["diskFull", "the service can't write to its disk; nothing was stored"] as const)
    : (["internal", "the service failed"] as const);
  log.error({ requestId, err: error }, message);
  return new ApiError(cause, `${message}; see its log for the request id ${requestId}`);
}

function noSuchRoute(c: Call): ApiError {
  return new ApiError("noSuchRoute", `${c.req.method} ${c.req.path} is not served here`);
}

function draining(): ApiError {
  return new ApiError("draining", "the service is stopping", { headers: { "Retry-After": "1" } });
}
