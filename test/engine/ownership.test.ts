import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { newStack } from "../support/engine.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

const monitor = (slug: string, options: obs.ResourceOptions = {}) => new obs.Monitor(slug, args, options);
/** In a component that hands its own provider down. */
const inComponent = (slug: string, own: obs.Provider) => {
  const parent = new pulumi.ComponentResource("test:index:Team", `team-${slug}`, {}, { providers: [own] });
  new obs.Monitor(`failures-${slug}`, { ...args, slug, name: slug }, { parent, adopt: true });
};

test("a resource that moves to another provider keeps its object, which is deleted where no resource declares it", async () => {
  const [service, other] = [await ownService(), await ownService()];
  const stack = await newStack(service.url);
  const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });
  const createdAt = async (slug: string, at = service) => (await liveMonitor(at, slug))?.created_at;
  /** The ids of the monitors in state, also of those that are still to be deleted. */
  const recorded = async () =>
    (await stack.state()).resources.flatMap(({ type, id }) => (type.endsWith(":Monitor") ? [id] : [])).sort();
  const before = () => {
    for (const slug of ["component", "named", "elsewhere", "gone"]) monitor(slug);
    monitor("gone-by-first", { provider: provider("first") });
  };
  const moved = () => {
    const second = provider("second");
    monitor("named", { provider: second, adopt: true });
    inComponent("component", second);
    inComponent("elsewhere", provider("elsewhere", other));
  };
  await done(stack.up(before));
  const made = { component: await createdAt("component"), named: await createdAt("named") };
  expect(made).toEqual({ component: expect.any(String), named: expect.any(String) });

  // test/model moves resources there and back, in previews and after failures.
  const { text } = await done(stack.up(moved));
  expect(text).toContain('monitor "component" is not deleted');
  expect(text).not.toContain('monitor "elsewhere" is not deleted');
  expect({ component: await createdAt("component"), named: await createdAt("named") }).toEqual(made);
  for (const slug of ["elsewhere", "gone", "gone-by-first"]) expect(await createdAt(slug)).toBeUndefined();
  expect(await createdAt("elsewhere", other)).toBeDefined();
  expect(await recorded()).toEqual(["component", "elsewhere", "named"]);
  await done(stack.destroy());
  for (const slug of ["component", "named"]) expect(await createdAt(slug)).toBeUndefined();
  expect(await createdAt("elsewhere", other)).toBeUndefined();
});
