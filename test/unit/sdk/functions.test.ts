import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { ownService } from "../../support/service.js";

let called: pulumi.runtime.MockCallArgs[];

beforeEach(async () => {
  called = [];
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: (args) => {
      called.push(args);
      return { slug: "pager", name: "Pager", webhook: { url: "https://hook.example.com" }, notifiers: [{ slug: "a" }] };
    },
  });
});

const valueOf = <T>(output: pulumi.Output<T>) => new Promise((resolve) => output.apply(resolve));

test("under mocks a function is a call of the mocks, by its token and with its arguments, and asks no service", async () => {
  const service = await ownService();
  process.env.OBSERVABILITY_BASE_URL = service.url;
  const pager = new obs.Notifier("pager", { discard: true });
  expect((await obs.getNotifier({ slug: "pager" })).name).toBe("Pager");
  expect(await valueOf(obs.getNotifierOutput({ slug: pager.slug }).webhook)).toEqual({
    url: "https://hook.example.com",
  });
  expect((await obs.getNotifiers()).notifiers).toEqual([{ slug: "a" }]);
  await valueOf(obs.getNotifiersOutput({ names: ["Pager"] }));
  await obs.getLogAllocationConfig();
  await obs.getSLOs({ slugs: ["a"] });
  expect(called.map(({ token, inputs }) => [token, inputs])).toEqual([
    ["observability:index:getNotifier", { slug: "pager" }],
    ["observability:index:getNotifier", { slug: "pager" }],
    ["observability:index:getNotifiers", {}],
    ["observability:index:getNotifiers", { names: ["Pager"] }],
    ["observability:index:getLogAllocationConfig", {}],
    ["observability:index:getSLOs", { slugs: ["a"] }],
  ]);
  expect(service.counters().total).toBe(0);
});

test("the mocks see an explicit provider", async () => {
  const provider = new obs.Provider("team", { apiToken: "token" });
  await obs.getNotifier({ slug: "pager" }, { provider });
  await valueOf(obs.getNotifierOutput({ slug: "pager" }, { provider }));
  expect(called.map((each) => each.provider)).toEqual(Array(2).fill(expect.stringContaining("::team::")));
});
