import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { ownService } from "../../support/service.js";

test("a program under mocks sends no request, and its resources answer with what the mocks say", async () => {
  const service = await ownService();
  process.env.OBSERVABILITY_BASE_URL = service.url;
  const declared: pulumi.runtime.MockResourceArgs[] = [];
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      declared.push(args);
      return { id: `${args.name}-id`, state: { ...args.inputs, slug: args.inputs.slug ?? args.name } };
    },
    call: () => ({}),
  });
  const pager = new obs.Notifier("pager", { webhook: { url: pulumi.secret("https://hook.example.com") } });
  const monitor = new obs.Monitor("errors", { labelQuery: "up", labels: { notifier: pager.slug } });
  const labels = await new Promise((resolve) => monitor.labels.apply(resolve));
  expect(labels).toEqual({ notifier: "pager" });
  expect(declared.map(({ type }) => type)).toEqual([
    "pulumi-nodejs:dynamic/observability:Notifier",
    "pulumi-nodejs:dynamic/observability:Monitor",
  ]);
  expect(await pulumi.isSecret(pager.webhook)).toBe(true);
  expect(service.counters().total).toBe(0);
});
