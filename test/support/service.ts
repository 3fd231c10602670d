import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, type ServiceOptions, startService } from "@pulumi-observability/service";
import { atEnd } from "./ends.js";
import { request } from "./http.js";

export const token = "token-of-the-tests";

/** One request as the service counted it. */
export type Counted = ReturnType<Service["counters"]>["requests"][number];

/** A folder of the test file's own, removed after its services are closed. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "observability-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A service of its own on a free port, in memory, ended with the test file. */
export async function ownService(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ token, ...options });
  atEnd(() => service.close());
  return service;
}

/** The requests counted since the last call, shortly: `{ "PUT /api/v1/config/monitors/{slug} dry": 2 }`. */
export function takeCounts(service: Service): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path, dryRun, count } of service.counters().requests) {
    const key = `${method} ${path.replace("/api/v1/config/", "")}${dryRun ? " dry" : ""}`;
    counts[key] = (counts[key] ?? 0) + count;
  }
  service.resetCounters();
  return counts;
}

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
