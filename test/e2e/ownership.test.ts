import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

type Json = Record<string, unknown>;

const sameSlug = { ...args, slug: "errors" };
const isLeft = (slug: string) => `monitor "${slug}" is left in place`;
const leftInPlace = isLeft("errors");

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for a test or for all rows of one life. */
const begin = async () => {
  service = await ownService();
  stack = await newStack(service.url);
};

const live = (slug = "errors", at = service) => liveMonitor(at, slug);
/** How often the state holds a monitor, also as one that is still to be deleted. */
const recorded = async (slug = "errors") =>
  (await stack.state()).resources.filter(({ type, id }) => type.endsWith("observability:Monitor") && id === slug)
    .length;
const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });
const monitor = (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
  new obs.Monitor(name, monitorArgs, options);
/** In a component with a provider of its own. */
const inComponent = (options: obs.ResourceOptions, at = service, slug = "errors") => {
  const providers = [provider(`own-${slug}`, at)];
  const parent = new pulumi.ComponentResource("test:index:Team", `team-${slug}`, {}, { providers });
  return monitor({ parent, ...options }, { ...args, slug, name: slug }, `failures-${slug}`);
};
/** Breaks a run off once something else is done: the service refuses it, and an update asks nobody before. */
const breakAfter = (dependsOn: pulumi.Resource | pulumi.Resource[]) =>
  new obs.Dataset("broken", { configuration: { type: "LOGS" } }, { dependsOn });

describe("what moves to another provider of the same service stays", () => {
  describe("into a component, and out of it again,", () => {
    const ways = { "by-true": true, "by-identical": "identical" } as const;
    const slugs = Object.keys(ways);
    const here = (adopts: boolean) => () => {
      for (const [slug, adopt] of Object.entries(ways)) monitor(adopts ? { adopt } : {}, args, slug);
    };
    const look = async (text: string) => ({
      text,
      live: Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await live(slug)] as const))),
      recorded: Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await recorded(slug)] as const))),
    });
    let before: Awaited<ReturnType<typeof look>>;
    let moved: typeof before;
    let back: typeof before;
    beforeAll(async () => {
      await begin();
      before = await look((await done(stack.up(here(false)))).text);
      const move = () => {
        for (const [slug, adopt] of Object.entries(ways)) inComponent({ adopt }, service, slug);
      };
      moved = await look((await done(stack.up(move))).text);
      back = await look((await done(stack.up(here(true)))).text);
    });

    test.each(Object.entries(ways))("%s, with adopt: %s", (slug) => {
      for (const now of [moved, back]) {
        expect(now.live[slug]?.created_at).toBe(before.live[slug]?.created_at);
        expect(now.text).toContain(isLeft(slug));
        expect(now.recorded[slug]).toBe(1);
      }
    });

    test("and the state is right then", async () => {
      const { steps } = await done(stack.preview(here(false), { refresh: true }));
      expect(steps).toMatchObject({ same: slugs.length });
      await done(stack.destroy());
      for (const slug of slugs) expect(await live(slug)).toBeUndefined();
    });
  });

  const urn = "urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::errors";
  const byFirst = () => monitor({ provider: provider("first") });
  const bySecond = (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args) =>
    monitor({ provider: provider("second"), adopt: true, ...options }, monitorArgs);
  /** There once, as the state says it. */
  const isThere = async (program: () => unknown) => {
    expect(await live()).toBeDefined();
    expect(await recorded()).toBe(1);
    const { steps } = await done(stack.preview(() => void program(), { refresh: true }));
    expect(steps).toMatchObject({ same: 1 });
  };

  test("where it keeps its name and its place in the program", async () => {
    await begin();
    await done(stack.up(() => void monitor()));
    const before = await live();
    await done(stack.preview(() => void bySecond()));
    await done(stack.up(() => void bySecond()));
    await isThere(bySecond);
    expect((await live())?.created_at).toBe(before?.created_at);
    await done(stack.up(() => void byFirst()));
    const first = () => bySecond({ deleteBeforeReplace: true });
    await done(stack.preview(() => void first()));
    await done(stack.up(() => void first()));
    await isThere(first);
  });

  describe("where it is replaced as it moves,", () => {
    const ways = { unsaid: undefined, first: true, last: false } as const;
    const slugs = Object.keys(ways);
    const moved = () => {
      const by = provider("second");
      for (const [slug, deleteBeforeReplace] of Object.entries(ways)) {
        const options = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
        const replacing = { provider: by, adopt: true, replaceOnChanges: ["intervalSecs"], ...options };
        monitor(replacing, { ...args, intervalSecs: 90 }, slug);
      }
    };
    let preview: Outcome;
    let up: Outcome;
    beforeAll(async () => {
      await begin();
      await done(
        stack.up(() => {
          const first = provider("first");
          for (const slug of slugs) monitor({ provider: first }, args, slug);
        }),
      );
      preview = await stack.preview(moved);
      up = await stack.up(moved);
    });

    test.each(Object.entries(ways))("%s: with deleteBeforeReplace: %s", async (slug, deleteBeforeReplace) => {
      expect(preview.failed, preview.text).toBe(false);
      expect(up.failed, up.text).toBe(false);
      if (deleteBeforeReplace === false) expect(up.text).toContain(isLeft(slug));
      expect(await live(slug)).toMatchObject({ interval_secs: 90 });
      expect(await recorded(slug)).toBe(1);
    });

    test("and the state is right then", async () => {
      const { steps } = await done(stack.preview(moved, { refresh: true }));
      expect(steps).toMatchObject({ same: slugs.length });
    });
  });

  test("where somebody asks for its replacement as it moves", async () => {
    await begin();
    await done(stack.up(() => void byFirst()));
    await done(stack.up(() => void bySecond(), { replace: [urn] }));
    await isThere(bySecond);
  });

  describe("after a run that is broken off, too:", () => {
    type Move = (second: obs.Provider, slug: string) => obs.Monitor;
    const replaced =
      (deleteBeforeReplace: boolean): Move =>
      (by, slug) => {
        const options = { deleteBeforeReplace, replaceOnChanges: ["intervalSecs"] };
        return monitor({ provider: by, adopt: true, ...options }, { ...args, intervalSecs: 90 }, slug);
      };
    const ways: Readonly<Record<string, Move>> = {
      "into-a-component": (_, slug) => inComponent({ adopt: true }, service, slug),
      "where-it-keeps-its-name": (by, slug) => monitor({ provider: by, adopt: true }, args, slug),
      "where-it-is-replaced": replaced(false),
      "where-it-is-replaced-and-deleted-first": replaced(true),
    };
    const slugs = Object.keys(ways);
    const move = () => {
      const second = provider("second");
      return Object.entries(ways).map(([slug, each]) => each(second, slug));
    };
    let between: Readonly<Record<string, Json | undefined>>;
    beforeAll(async () => {
      await begin();
      await done(
        stack.up(() => {
          const first = provider("first");
          for (const slug of slugs) monitor({ provider: first }, args, slug);
        }),
      );
      await refused(stack.up(() => void breakAfter(move())));
      between = Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await live(slug)] as const)));
      await done(stack.up(() => void move()));
    });

    test.each(slugs)("%s", async (slug) => {
      expect(between[slug]).toBeDefined();
      expect(await live(slug)).toBeDefined();
      expect(await recorded(slug)).toBe(1);
    });

    test("and the state is right then", async () => {
      const { steps } = await done(stack.preview(() => void move(), { refresh: true }));
      expect(steps).toMatchObject({ same: slugs.length });
      stack.stack.workspace.program = async () => void move();
      await done(stack.destroy({ runProgram: true }));
      for (const slug of slugs) expect(await live(slug)).toBeUndefined();
    });
  });

  test("but what the program no longer declares is deleted, under whichever provider", async () => {
    await begin();
    const other = (name: string) => monitor({}, args, name);
    const own = (name: string, by: obs.Provider) => monitor({ provider: by }, args, name);
    await done(
      stack.up(() => {
        const [first, second] = [provider("first"), provider("second")];
        for (const name of ["kept-here", "gone-here"]) other(name);
        for (const name of ["kept-first", "gone-first"]) own(name, first);
        own("gone-second", second);
      }),
    );
    const { steps } = await done(
      stack.up(() => {
        other("kept-here");
        own("kept-first", provider("first"));
      }),
    );
    expect(steps).toEqual({ same: 2, delete: 3 });
    expect(await Promise.all(["gone-here", "gone-first", "gone-second"].map((slug) => live(slug)))).toEqual(
      Array(3).fill(undefined),
    );
    expect(await live("kept-here")).toBeDefined();
    expect(await live("kept-first")).toBeDefined();
  });

  test("but what moves to another service is deleted at the first", async () => {
    await begin();
    const other = await ownService();
    await done(stack.up(() => void monitor()));
    const { text } = await done(stack.up(() => void inComponent({ adopt: true }, other)));
    expect(await live()).toBeUndefined();
    expect(await live("errors", other)).toBeDefined();
    expect(text).not.toContain("left in place");
    expect(await recorded()).toBe(1);
  });
});

describe("deleteBeforeReplace", () => {
  test("lets a rename that is broken off lose nothing", async () => {
    await begin();
    const options = { adopt: true, deleteBeforeReplace: true } as const;
    await done(stack.up(() => void monitor(options)));
    const before = await live();
    const renamed = () => monitor(options, sameSlug, "failures");
    await refused(stack.up(() => void breakAfter(renamed())));
    const { text } = await done(stack.up(() => void renamed()));
    expect((await live())?.created_at).toBe(before?.created_at);
    expect(text).toContain(leftInPlace);
    expect(await recorded()).toBe(1);
    const { steps } = await done(stack.preview(() => void renamed(), { refresh: true }));
    expect(steps).toMatchObject({ same: 1 });
  });

  test("deletes and makes anew what is replaced, also by an adopter under another provider", async () => {
    await begin();
    const options: obs.ResourceOptions = { adopt: true, deleteBeforeReplace: true, replaceOnChanges: ["intervalSecs"] };
    const declare = (intervalSecs: number) => () => {
      monitor(options, { ...args, intervalSecs });
      monitor({ ...options, provider: provider("own") }, { ...args, intervalSecs }, "latency");
    };
    await done(stack.up(declare(60)));
    const before = [await live(), await live("latency")];
    await done(stack.up(declare(90)));
    const after = [await live(), await live("latency")];
    for (const [i, now] of after.entries()) {
      expect(now).toMatchObject({ interval_secs: 90 });
      expect(now?.created_at).not.toBe(before[i]?.created_at);
    }
    for (const slug of ["errors", "latency"]) expect(await recorded(slug)).toBe(1);
  });
});

describe("an object stays though its new owner was not created because another resource failed:", () => {
  const owners = { errors: "errors", latency: "slowness" };
  let up: Outcome;
  beforeAll(async () => {
    await begin();
    await done(
      stack.up(() => {
        for (const slug of Object.keys(owners)) monitor({}, { ...args, slug }, slug);
      }),
    );
    const moved = () => {
      const dependsOn = new obs.Dataset("broken", { configuration: { type: "LOGS" } });
      const parent = new pulumi.ComponentResource("test:index:Team", "team");
      for (const [slug, name] of Object.entries(owners))
        monitor({ parent, adopt: true, dependsOn }, { ...args, slug, name: slug }, name);
    };
    up = await stack.up(moved, { continueOnError: true });
  });

  test.each(Object.entries(owners))("%s, whose new owner is %s", async (slug) => {
    expect(up.failed).toBe(true);
    expect(up.text).toContain(isLeft(slug));
    expect(await live(slug)).toBeDefined();
  });
});
