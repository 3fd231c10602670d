import { join } from "node:path";
import { type Service, type ServiceOptions, startService } from "@pulumi-observability/service";
import { toWire } from "../../dist/provider/wire/codec.js";
import { type JsonObject } from "../../dist/provider/wire/json.js";
import { caseOf, pathOf } from "./cases.js";
import { atEnd } from "./ends.js";
import { ownFolder } from "./folders.js";
import { request } from "./http.js";

export const token = "token-of-the-tests";

/** One request as the service counted it. */
type Counted = ReturnType<Service["counters"]>["requests"][number];

/** A service of its own on a free port, in memory, ended with the test file. */
export async function ownService(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ token, ...options });
  atEnd(() => service.close());
  return service;
}

/** A service of the described operations that has objects from a time when it had all operations. */
export async function describedService(fill: (full: Service) => Promise<unknown>): Promise<Service> {
  const database = join(ownFolder(), "objects.db");
  const full = await startService({ database, token });
  await fill(full);
  await full.close();
  return ownService({ database, operations: "described" });
}

function take(service: Service, nameOf: (request: Counted) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of service.counters().requests) {
    const name = `${nameOf(request)}${request.dryRun ? " dry" : ""}`;
    counts[name] = (counts[name] ?? 0) + request.count;
  }
  service.resetCounters();
  return counts;
}

/** The requests counted since the last call: `{ "PUT monitors/{slug} dry": 2 }`. */
export const takeCounts = (service: Service) =>
  take(service, ({ method, path }) => `${method} ${path.replace("/api/v1/config/", "")}`);

/** The requests counted since the last call, by method: `{ "PUT dry": 2 }`. */
export const takeVerbs = (service: Service) => take(service, ({ method }) => method);

/** A request as some other client would send it. */
export async function ask(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { "API-Token": token, "Content-Type": "application/json" };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { status, text } = await request(service.url + path, method, headers, sent);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

/** An object as the service has it; undefined if it has none. */
export async function live(service: Service, kindName: string, slug: string): Promise<JsonObject | undefined> {
  const { kind } = caseOf(kindName);
  const { status, body } = await ask(service, "GET", pathOf(kind, slug));
  return status === 404 ? undefined : (body[kind.wire.one] as JsonObject); // as the envelope has it
}

/** Writes an object as another client would: the example of its kind, with changed arguments. */
export async function put(service: Service, kindName: string, slug: string, change: JsonObject = {}): Promise<void> {
  const { kind, args } = caseOf(kindName);
  const object = { ...toWire(kind.root, { ...args, ...change }), ...(kind.isSingleton ? {} : { slug }) };
  const { status, body } = await ask(service, "PUT", pathOf(kind, slug), {
    [kind.wire.one]: object,
    create_if_missing: true,
  });
  if (status !== 200) throw new Error(`the service rejected ${kindName} "${slug}": ${JSON.stringify(body)}`);
}
