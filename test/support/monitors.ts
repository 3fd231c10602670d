import type { Service } from "@pulumi-observability/service";
import { expect } from "vitest";
import type { Outcome } from "./engine.js";
import { ask, live } from "./service.js";

export const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };
/** The arguments of a monitor that the service accepts. */
export const args = { labelQuery: "up", seriesConditions: conditions };

/** What came of an operation that succeeds. */
export async function done(outcome: Promise<Outcome>): Promise<Outcome> {
  const ended = await outcome;
  expect(ended.failed, ended.text).toBe(false);
  return ended;
}

/** What an operation that fails has told. */
export async function refused(outcome: Promise<Outcome>): Promise<string> {
  const { failed, text } = await outcome;
  expect(failed, text).toBe(true);
  return text;
}

/** The slugs of a service's monitors. */
export async function monitorSlugs(service: Service): Promise<readonly string[]> {
  const { body } = await ask(service, "GET", "/api/v1/config/monitors");
  return (body.monitors as { slug: string }[]).map(({ slug }) => slug);
}

/** A monitor as the service has it; undefined if it has none. */
export const liveMonitor = (service: Service, slug: string) => live(service, "Monitor", slug);
