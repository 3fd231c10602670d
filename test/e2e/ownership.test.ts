import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";
import { isDeep } from "../support/figures.js";

const changedArgs = { ...args, intervalSecs: 90 };
const replaceOnChanges = ["intervalSecs"];
const isLeft = (slug: string) => `monitor "${slug}" is left in place`;

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for all rows of one life. */
const begin = async () => {
  service = await ownService();
  stack = await newStack(service.url);
};

const live = (slug: string, at = service) => liveMonitor(at, slug);
/** What was said until now, what the service has now, and how often the state holds it, also as still to be deleted. */
const look = async (text: string, slugs: readonly string[]) => {
  const { resources } = await stack.state();
  const recorded = (slug: string) =>
    resources.filter(({ type, id }) => type.endsWith("observability:Monitor") && id === slug).length;
  return {
    text,
    live: Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await live(slug)] as const))),
    recorded: Object.fromEntries(slugs.map((slug) => [slug, recorded(slug)])),
  };
};
type Look = Awaited<ReturnType<typeof look>>;

const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });
const monitor = (options: obs.ResourceOptions, monitorArgs: obs.MonitorArgs, name: string) =>
  new obs.Monitor(name, monitorArgs, options);
/** In a component that hands its own provider down. */
const inComponent = (own: obs.Provider, options: obs.ResourceOptions, slug: string) => {
  const parent = new pulumi.ComponentResource("test:index:Team", `team-${slug}`, {}, { providers: [own] });
  return monitor({ parent, ...options }, { ...args, slug, name: slug }, `failures-${slug}`);
};

describe("in one stack's life, each move at a monitor of its own,", () => {
  let other: Service;
  const intoComponents = { "by-true": true, "by-identical": "identical" } as const;
  const replaced = { "replaced-unsaid": undefined, "replaced-first": true, "replaced-last": false } as const;
  const remaking = { adopt: true, deleteBeforeReplace: true, replaceOnChanges } as const;
  const remade = ["remade-here", "remade-by-first"];
  const kept = ["kept-here", "kept-by-first"];
  const gone = ["gone-here", "gone-by-first", "gone-by-second"];
  const slugs = [
    ...Object.keys(intoComponents),
    "named",
    "named-and-deleted-first",
    ...Object.keys(replaced),
    "asked-for",
    ...remade,
    ...kept,
    "elsewhere",
  ];

  /** The monitors that do not move: of each pair, one has the default provider and one the first. */
  const staying = (first: obs.Provider, monitorArgs: obs.MonitorArgs) => {
    for (const [i, options] of [{}, { provider: first }].entries()) {
      monitor(options, args, kept[i] ?? "");
      monitor({ ...remaking, ...options }, monitorArgs, remade[i] ?? "");
    }
  };
  const before = () => {
    const first = provider("first");
    staying(first, args);
    for (const slug of [...Object.keys(intoComponents), "named", "elsewhere", "gone-here"]) monitor({}, args, slug);
    for (const slug of ["named-and-deleted-first", ...Object.keys(replaced), "asked-for", "gone-by-first"])
      monitor({ provider: first }, args, slug);
    monitor({ provider: provider("second") }, args, "gone-by-second");
  };
  const moved = (first: obs.Provider) => {
    const second = provider("second");
    const options = { provider: second, adopt: true } as const;
    staying(first, changedArgs);
    monitor({ ...options, deleteBeforeReplace: true }, args, "named-and-deleted-first");
    for (const [slug, deleteBeforeReplace] of Object.entries(replaced)) {
      const said = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
      monitor({ ...options, replaceOnChanges, ...said }, changedArgs, slug);
    }
    monitor(options, args, "asked-for");
    inComponent(provider("elsewhere", other), { adopt: true }, "elsewhere");
    return second;
  };
  const there = () => {
    const second = moved(provider("first"));
    monitor({ provider: second, adopt: true }, args, "named");
    for (const [slug, adopt] of Object.entries(intoComponents)) inComponent(second, { adopt }, slug);
  };
  const back = (adopts: boolean) => () => {
    const first = provider("first");
    moved(first);
    monitor({ provider: first }, args, "named");
    for (const [slug, adopt] of Object.entries(intoComponents)) monitor(adopts ? { adopt } : {}, args, slug);
  };

  let made: Look;
  let preview: Outcome;
  let after: Look;
  let returned: Look;
  let settled: Outcome;
  let elsewhere: unknown;
  beforeAll(async () => {
    await begin();
    other = await ownService();
    const all = [...slugs, ...gone];
    made = await look((await done(stack.up(before))).text, all);
    preview = await stack.preview(there);
    const replace = ["urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::asked-for"];
    after = await look((await done(stack.up(there, { replace }))).text, all);
    elsewhere = await live("elsewhere", other);
    returned = await look((await done(stack.up(back(true)))).text, all);
    settled = await stack.preview(back(false), { refresh: true });
    await done(stack.destroy());
  });

  test.each(Object.keys(intoComponents))("what moves into a component and out of it again stays: %s", (slug) => {
    for (const now of [after, returned]) {
      expect(now.live[slug]?.created_at).toBe(made.live[slug]?.created_at);
      expect(now.text).toContain(isLeft(slug));
      expect(now.recorded[slug]).toBe(1);
    }
  });

  test("what keeps its name and its place in the program stays", () => {
    expect(preview.failed, preview.text).toBe(false);
    expect(after.live.named?.created_at).toBe(made.live.named?.created_at);
    for (const now of [after, returned]) {
      for (const slug of ["named", "named-and-deleted-first"]) {
        expect(now.live[slug]).toBeDefined();
        expect(now.recorded[slug]).toBe(1);
      }
    }
  });

  test.each(Object.entries(replaced))("what is replaced as it moves stays: %s", (slug, deleteBeforeReplace) => {
    expect(preview.failed, preview.text).toBe(false);
    if (deleteBeforeReplace === false) expect(after.text).toContain(isLeft(slug));
    expect(after.live[slug]).toMatchObject({ interval_secs: 90 });
    expect(after.recorded[slug]).toBe(1);
  });

  test("what somebody asks to replace as it moves stays", () => {
    expect(after.live["asked-for"]).toBeDefined();
    expect(after.recorded["asked-for"]).toBe(1);
  });

  test("what the program no longer declares is deleted, under whichever provider", () => {
    for (const slug of gone) {
      expect(made.live[slug]).toBeDefined();
      expect(after.live[slug]).toBeUndefined();
      expect(after.recorded[slug]).toBe(0);
    }
    for (const slug of kept) expect(after.live[slug]).toEqual(made.live[slug]);
  });

  test("what moves to another service is deleted at the first", () => {
    expect(made.live.elsewhere).toBeDefined();
    expect(after.live.elsewhere).toBeUndefined();
    expect(after.text).not.toContain(isLeft("elsewhere"));
    expect(after.recorded.elsewhere).toBe(1);
    expect(elsewhere).toBeDefined();
  });

  test.each(remade)("deleteBeforeReplace deletes and makes anew what is replaced, also by an adopter: %s", (slug) => {
    expect(after.live[slug]).toMatchObject({ interval_secs: 90 });
    expect(after.live[slug]?.created_at).not.toBe(made.live[slug]?.created_at);
    expect(after.recorded[slug]).toBe(1);
  });

  test("the state is right after all of it, and all of it is destroyed", async () => {
    expect(settled.failed, settled.text).toBe(false);
    expect(settled.steps).toEqual({ refresh: slugs.length, same: slugs.length });
    for (const slug of slugs) expect(await live(slug)).toBeUndefined();
  });
});

describe.skipIf(!isDeep)("after a run that is broken off,", () => {
  type Move = (second: obs.Provider, slug: string) => obs.Monitor;
  const replaced =
    (deleteBeforeReplace: boolean): Move =>
    (second, slug) =>
      monitor({ provider: second, adopt: true, deleteBeforeReplace, replaceOnChanges }, changedArgs, slug);
  const moves: Readonly<Record<string, Move>> = {
    "into-a-component": (second, slug) => inComponent(second, { adopt: true }, slug),
    "where-it-keeps-its-name": (second, slug) => monitor({ provider: second, adopt: true }, args, slug),
    "where-it-is-replaced": replaced(false),
    "where-it-is-replaced-and-deleted-first": replaced(true),
  };
  const renaming = { adopt: true, deleteBeforeReplace: true } as const;
  const slugs = [...Object.keys(moves), "renamed"];
  const move = () => {
    const second = provider("second");
    return [
      ...Object.entries(moves).map(([slug, each]) => each(second, slug)),
      monitor(renaming, { ...args, slug: "renamed" }, "its-new-name"),
    ];
  };
  const broken = (dependsOn: pulumi.Resource[] = []) =>
    // The service refuses it, and an update asks nobody before.
    new obs.Dataset("broken", { configuration: { type: "LOGS" } }, { dependsOn });
  /** By slug, the name of a monitor whose new owner waits for what fails. */
  const owners = { errors: "errors", latency: "slowness" };
  const owned = () => {
    for (const slug of Object.keys(owners)) monitor({}, { ...args, slug }, slug);
  };

  let made: Look;
  let between: Look;
  let after: Look;
  let settled: Outcome;
  let waiting: Outcome;
  let left: Look;
  beforeAll(async () => {
    await begin();
    const before = () => {
      const first = provider("first");
      for (const slug of Object.keys(moves)) monitor({ provider: first }, args, slug);
      monitor(renaming, args, "renamed");
      owned();
    };
    const moved = () => {
      owned();
      return move();
    };
    made = await look((await done(stack.up(before))).text, slugs);
    between = await look(await refused(stack.up(() => void broken(moved()))), slugs);
    after = await look((await done(stack.up(() => void moved()))).text, slugs);
    settled = await stack.preview(() => void moved(), { refresh: true });
    const owning = () => {
      move();
      const dependsOn = broken();
      const parent = new pulumi.ComponentResource("test:index:Team", "team");
      for (const [slug, name] of Object.entries(owners))
        monitor({ parent, adopt: true, dependsOn }, { ...args, slug, name: slug }, name);
    };
    waiting = await stack.up(owning, { continueOnError: true });
    left = await look(waiting.text, Object.keys(owners));
    // A destroy takes the workspace's program.
    stack.stack.workspace.program = async () => void move();
    await done(stack.destroy({ runProgram: true }));
  });

  test.each(Object.keys(moves))("what moves to another provider stays: %s", (slug) => {
    expect(between.live[slug]).toBeDefined();
    expect(after.live[slug]).toBeDefined();
    expect(after.recorded[slug]).toBe(1);
  });

  test("what is renamed with deleteBeforeReplace stays", () => {
    expect(made.live.renamed).toBeDefined();
    expect(after.live.renamed?.created_at).toBe(made.live.renamed?.created_at);
    expect(after.text).toContain(isLeft("renamed"));
    expect(after.recorded.renamed).toBe(1);
  });

  test("the state is right, and a destroy with the program deletes what the program declares", async () => {
    expect(settled.failed, settled.text).toBe(false);
    expect(settled.steps).toMatchObject({ same: slugs.length + Object.keys(owners).length });
    for (const slug of slugs) expect(await live(slug)).toBeUndefined();
  });

  test.each(Object.entries(owners))(
    "an object stays though its new owner was not created because another resource failed: %s, whose new owner is %s",
    (slug) => {
      expect(waiting.failed).toBe(true);
      expect(waiting.text).toContain(isLeft(slug));
      expect(left.live[slug]).toBeDefined();
    },
  );
});
