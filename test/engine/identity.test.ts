import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { newStack, typePrefix } from "../support/engine.js";
import { type Layer, ownProxy } from "../support/faults.js";
import { deepTest } from "../support/figures.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ask, ownService, token } from "../support/service.js";

const monitor = (slug: string, more: obs.MonitorArgs = {}, options: obs.ResourceOptions = {}) =>
  new obs.Monitor(slug, { ...args, ...more }, options);

/** A service whose times all are of the same second. */
const coarse: Layer = {
  request: (_, text) => text,
  reply: (_, reply) => ({
    ...reply,
    text: reply.text.replace(/"((?:created|updated)_at)":"[^"]*"/g, '"$1":"2026-01-01T00:00:00Z"'),
  }),
};

test("an alias that names a resource of another kind fails, and the object stays", async () => {
  const service = await ownService();
  const stack = await newStack(service.url);
  await done(stack.up(() => monitor("errors")));
  const program = () => {
    const aliases = [{ type: `${typePrefix}Monitor` }];
    new obs.Notifier("errors", { discard: true }, { aliases });
  };
  const told = await refused(stack.up(program));
  expect(told).toContain("an alias of this resource names a Monitor, which can't become a Notifier. ");
  expect(await liveMonitor(service, "errors")).toBeDefined();
  expect(await ask(service, "GET", "/api/v1/config/notifiers/errors")).toMatchObject({ status: 404 });
});

deepTest("two URLs with inexact creation times are two services", async () => {
  const [eu, us] = await Promise.all([ownService(), ownService()]);
  const stack = await newStack(eu.url);
  const proxies = await Promise.all([eu, us].map(({ url }) => ownProxy(url, coarse)));
  const program = (regions: readonly number[]) => () => {
    for (const i of regions) {
      const provider = new obs.Provider(`region-${i}`, { baseUrl: proxies[i]?.url ?? "", apiToken: token });
      new obs.Monitor(`errors-${i}`, { ...args, slug: "errors", name: "errors" }, { provider });
    }
  };
  await done(stack.up(program([0, 1])));
  expect((await done(stack.preview(program([0, 1])))).steps).toEqual({ same: 2 });
  await done(stack.up(program([1])));
  expect(await liveMonitor(eu, "errors")).toBeUndefined();
  expect(await liveMonitor(us, "errors")).toBeDefined();
});

deepTest(
  "a replacement that the engine forces without asking the provider fails in the preview, with what to do",
  async () => {
    const service = await ownService();
    const stack = await newStack(service.url);
    const program =
      (trigger: string, options: obs.ResourceOptions = {}) =>
      () => {
        monitor("triggered", {}, { replacementTrigger: trigger, ...options });
        const first = monitor("first", {}, { replacementTrigger: trigger, ...options });
        monitor("with-it", {}, { replaceWith: [first], ...options });
      };
    await done(stack.up(program("1")));
    const preview = await stack.preview(program("2"));
    for (const slug of ["triggered", "first", "with-it"]) {
      expect(preview.text).toMatch(new RegExp(`monitor "${slug}" already exists.*deleteBeforeReplace: true`));
    }
    expect(preview.failed).toBe(true);
    const ways = program("2", { deleteBeforeReplace: true });
    await done(stack.preview(ways));
    await done(stack.up(ways));
  },
);
