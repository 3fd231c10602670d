import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { begin } from "../support/engine.js";
import { ownFolder } from "../support/folders.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ask } from "../support/service.js";

// Where check validates instead of the class, test/model compares its answers.
test("an update by a saved plan succeeds with secrets, transforms and replacements", async () => {
  const { service, stack } = await begin({ env: { PULUMI_EXPERIMENTAL: "true" } });
  const program = (routingKey: string, severity: string, intervalSecs: number, slug: string) => () => {
    const add = ({ props, opts }: { props: pulumi.Inputs; opts: pulumi.ResourceOptions }) => ({
      props: { ...props, intervalSecs },
      opts,
    });
    new obs.Notifier("rotated", { oncallB: { routingKey, severity: "critical" } });
    new obs.Notifier("pager", { oncallB: { routingKey: "CANARY", severity } });
    new obs.Monitor("errors", args, { transforms: [add] });
    new obs.Monitor("latency", args, { transformations: [add] });
    const first = new obs.Monitor("first", { ...args, slug: `first-${slug}` });
    new obs.Monitor("second", { ...args, slug: `second-${slug}` }, { deleteBeforeReplace: true });
    new obs.Monitor("third", { ...args, labels: { since: first.createdAt } });
  };
  const places: string[] = [];
  for (const each of [program("CANARY-1", "critical", 30, "a"), program("CANARY-2", "warning", 90, "b")]) {
    const plan = join(ownFolder(), "plan");
    const preview = await stack.stack.preview({
      plan,
      program: async () => each(),
      onEvent: ({ resourcePreEvent }) => {
        const { op, detailedDiff, diffs } = resourcePreEvent?.metadata ?? {};
        if (op === "update") places.push(...Object.keys(detailedDiff ?? {}), ...(diffs ?? []));
      },
    });
    const up = await done(stack.up(each, { plan }));
    expect(`${preview.stdout} ${up.text} ${readFileSync(plan, "utf8")}`).not.toContain("CANARY");
  }
  // The differences hold no key of our own.
  expect(places).toContain("intervalSecs");
  expect(places.filter((place) => place.startsWith("__"))).toEqual([]);
  const { body } = await ask(service, "GET", "/api/v1/config/notifiers/pager");
  expect(body.notifier).toMatchObject({ oncall_b: { severity: "warning" } });
  for (const slug of ["errors", "latency"])
    expect(await liveMonitor(service, slug)).toMatchObject({ interval_secs: 90 });
  for (const name of ["first", "second"]) {
    expect(await liveMonitor(service, `${name}-a`)).toBeUndefined();
    expect(await liveMonitor(service, `${name}-b`)).toBeDefined();
  }
});

test("a replacement that keeps its slug deletes first, also where a transform asks for it, and fails with deleteBeforeReplace: false", async () => {
  const { service, stack } = await begin();
  const replaceOnChanges = ["intervalSecs"];
  const asked = { deleteBeforeReplace: true, replaceOnChanges };
  const ways: Readonly<Record<string, obs.ResourceOptions>> = {
    "by-transformation": { transformations: [({ props, opts }) => ({ props, opts: { ...opts, ...asked } })] },
    "by-transform": { transforms: [({ props, opts }) => ({ props, opts: { ...opts, ...asked } })] },
    "by-default": { replaceOnChanges },
  };
  const program = (intervalSecs: number, kept: number) => () => {
    for (const [slug, options] of Object.entries(ways)) new obs.Monitor(slug, { ...args, intervalSecs }, options);
    new obs.Monitor("kept", { ...args, intervalSecs: kept }, { replaceOnChanges, deleteBeforeReplace: false });
  };
  const live = () => Promise.all(Object.keys(ways).map((slug) => liveMonitor(service, slug)));
  await done(stack.up(program(60, 60)));
  const before = await live();
  const { messages } = await stack.preview(program(90, 90));
  const errors = messages.filter(({ severity, name }) => severity === "error" && name !== undefined);
  expect(errors).toEqual([expect.objectContaining({ name: "kept", text: expect.stringMatching(/already exists/) })]);
  expect((await done(stack.up(program(90, 60)))).steps).toMatchObject({ replace: 3 });
  for (const [i, monitor] of (await live()).entries()) {
    expect(monitor).toMatchObject({ interval_secs: 90 });
    expect(monitor?.created_at).not.toBe(before[i]?.created_at);
  }
});
