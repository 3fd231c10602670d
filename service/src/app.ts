import { randomUUID } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context as HonoContext } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Logger } from "pino";
import { authenticate, type Token } from "./auth.js";
import { readJson } from "./body.js";
import type { Context } from "./context.js";
import type { Counters, Request } from "./counters.js";
import type { Document } from "./document.js";
import { ApiError, refused } from "./errors.js";
import { isObject, type JsonObject } from "./json.js";
import type { Operation } from "./operations.js";
import type { RateLimiter } from "./rateLimit.js";
import { list, read } from "./reads.js";
import type { Validator } from "./validate.js";
import { create, remove, update } from "./writes.js";

/** Everything that the routes need. */
export interface Parts {
  readonly context: Context;
  /** All operations of the document; only those in `served` are answered. */
  readonly operations: readonly Operation[];
  readonly served: ReadonlySet<Operation>;
  /** The answer to `GET /openapi.json`: the served operations only. */
  readonly servedDocument: Document;
  readonly validator: Validator;
  readonly token: Token;
  readonly limiter: RateLimiter | undefined;
  readonly counters: Counters;
  readonly bodyLimit: number;
  readonly isDraining: () => boolean;
  readonly log: Logger;
}

type Asked = { -readonly [K in keyof Omit<Request, "status" | "method">]: Request[K] };
interface Env {
  Bindings: HttpBindings;
  Variables: { requestId: string; asked: Asked };
}
type Call = HonoContext<Env>;

const apiRoot = "/api/*";
const countersPath = "/-/counters";

export function appFor(parts: Parts): Hono<Env> {
  const { counters, isDraining, log } = parts;
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    const started = performance.now();
    c.set("requestId", requestIdOf(c.req.header("X-Request-Id")));
    await next();
    c.header("X-Request-Id", c.get("requestId"));
    if (isDraining()) c.header("Connection", "close");
    log.info({
      requestId: c.get("requestId"),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - started),
    });
  });
  app.use(apiRoot, async (c, next) => {
    const asked: Asked = { operation: null, path: "*", dryRun: false, createIfMissing: false };
    c.set("asked", asked);
    await next();
    counters.add({ ...asked, method: c.req.method, status: c.res.status });
  });

  app.get("/healthz", (c) => (isDraining() ? answer(c, draining()) : c.json({ status: "ok" })));
  app.get("/openapi.json", (c) => c.json(parts.servedDocument));
  app.get(countersPath, (c) => {
    authenticate(c.req.header("API-Token"), parts.token);
    return c.json(counters.counts());
  });
  app.delete(countersPath, (c) => {
    authenticate(c.req.header("API-Token"), parts.token);
    counters.reset();
    return c.json({});
  });
  addOperations(app, parts);
  app.all(apiRoot, (c) => {
    admit(c, parts);
    throw noSuchRoute(c);
  });
  app.notFound((c) => answer(c, noSuchRoute(c)));
  app.onError((error, c) => {
    if (error instanceof ApiError) return answer(c, error);
    log.error({ requestId: c.get("requestId"), err: error }, "a request failed");
    return answer(
      c,
      new ApiError("internal", `the service failed; its log tells why under the request id ${c.get("requestId")}`),
    );
  });
  return app;
}

function addOperations(app: Hono<Env>, parts: Parts): void {
  for (const path of new Set(parts.operations.map((operation) => operation.path))) {
    const route = path.replace(/\{(\w+)\}/g, ":$1");
    const here = parts.operations.filter((operation) => operation.path === path && parts.served.has(operation));
    for (const operation of here) {
      const run = runner(operation, parts);
      app.on(operation.method, route, async (c) => {
        Object.assign(c.get("asked"), { operation: operation.id, path });
        admit(c, parts);
        return c.json(await run(c));
      });
    }
    app.all(route, (c) => {
      c.get("asked").path = path;
      admit(c, parts);
      if (here.length === 0) throw noSuchRoute(c);
      const allowed = here.map(({ method }) => method).join(", ");
      throw new ApiError("methodNotAllowed", `${c.req.method} is not served on ${c.req.path}, only ${allowed}`, {
        headers: { Allow: allowed },
      });
    });
  }
}

/** The first checks of every operation: draining, token, request limit. */
function admit(c: Call, { isDraining, token, limiter }: Parts): void {
  if (isDraining()) throw draining();
  authenticate(c.req.header("API-Token"), token);
  limiter?.admit(token.sha256, Date.now());
}

function runner(operation: Operation, { context, validator, bodyLimit }: Parts): (c: Call) => Promise<JsonObject> {
  const { kind, verb, many = "", request = {} } = operation;
  const check = validator.forRequest(request, kind.one);
  const written = async (c: Call) => {
    const { body, problems } = check(await readJson(c.env.incoming, bodyLimit));
    const flags = { dryRun: body.dry_run === true, createIfMissing: body.create_if_missing === true };
    Object.assign(c.get("asked"), flags);
    const resource = body[kind.one];
    if (problems.count > 0 || !isObject(resource)) throw refused("invalid", `the ${kind.title} is invalid`, problems);
    return { resource, ...flags };
  };
  const verbs = {
    create: async (c) => create(context, kind, await written(c)),
    update: async (c) => update(context, kind, { ...(await written(c)), slug: c.req.param("slug") }),
    read: (c) => read(context, kind, c.req.param("slug")),
    list: (c) => list(context, kind, many, new URL(c.req.url).searchParams),
    delete: (c) => remove(context, kind, c.req.param("slug")),
  } satisfies Record<Operation["verb"], (c: Call) => Promise<JsonObject>>;
  return verbs[verb];
}

/** The client's request id if it is safe in a header and a log, else a new one. */
function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[\x21-\x7e]{1,128}$/.test(given) ? given : randomUUID();
}

function answer(c: Call, error: ApiError): Response {
  // The cast holds: all statuses of ApiError allow a body.
  return c.json(error.body, error.status as ContentfulStatusCode, error.headers);
}

function noSuchRoute(c: Call): ApiError {
  return new ApiError("noSuchRoute", `${c.req.method} ${c.req.path} is not served here`);
}

function draining(): ApiError {
  return new ApiError("draining", "the service is stopping", { headers: { "Retry-After": "1" } });
}
