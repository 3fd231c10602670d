import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { type Mocked, mocks, valueOf } from "../../support/mocks.js";
import { ownService } from "../../support/service.js";

let mocked: Mocked;

beforeEach(async () => {
  const webhook = { url: "https://hook.example.com" };
  mocked = await mocks({ call: { slug: "pager", name: "Pager", webhook, notifiers: [{ slug: "a" }] } });
});

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
  expect(mocked.called.map(({ token, inputs }) => [token, inputs])).toEqual([
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
  expect(mocked.called.map((each) => each.provider)).toEqual(Array(2).fill(expect.stringContaining("::team::")));
});
