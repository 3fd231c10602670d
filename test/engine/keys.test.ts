import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { newStack } from "../support/engine.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ask, ownService } from "../support/service.js";

// The engine writes a changed key into a path, reads that again, and cannot do so with each of these.
const keys = ["a\\", 'a"b', "a\\\\", 'a\\"', "a.b[0]", "$", "toString", "constructor"];

test("an edit under an odd key is shown and undone", async () => {
  const service = await ownService();
  const stack = await newStack(service.url);
  const labels = (key: string, value: string) => Object.fromEntries([[key, value]]);
  const program = () => {
    for (const [i, key] of keys.entries()) new obs.Monitor(`m${i}`, { ...args, labels: labels(key, "declared") });
  };
  await done(stack.up(program));
  for (const [i, key] of keys.entries()) {
    const monitor = { ...(await liveMonitor(service, `m${i}`)), labels: labels(key, "by hand") };
    expect((await ask(service, "PUT", `/api/v1/config/monitors/m${i}`, { monitor })).status).toBe(200);
  }
  expect((await done(stack.preview(program, { refresh: true }))).counts).toMatchObject({ update: keys.length });
  await done(stack.up(program, { refresh: true }));
  for (const [i, key] of keys.entries()) {
    expect(await liveMonitor(service, `m${i}`)).toMatchObject({ labels: labels(key, "declared") });
  }
});
