import { copyFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Service, startService } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import {
  type Arrival,
  edited,
  failing,
  type FaultProxy,
  halfOfTheJson,
  type Layer,
  meanwhile,
  ownProxy,
} from "../support/faults.js";
import { isDeep, reportFigure } from "../support/figures.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";

type Json = Record<string, unknown>;

const pathTo = (slug: string) => `/api/v1/config/monitors/${slug}`;
const wire = (slug: string, more: Json = {}) => ({
  slug,
  name: "theirs",
  label_query: "up",
  series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 2 }] } } },
  ...more,
});

/** What somebody else does at the service. */
async function put(service: Service, slug: string, more: Json = {}): Promise<void> {
  const { status, body } = await ask(service, "PUT", pathTo(slug), {
    create_if_missing: true,
    monitor: wire(slug, more),
  });
  expect(status, JSON.stringify(body)).toBe(200);
}

async function makeAnew(service: Service, slug: string): Promise<void> {
  expect((await ask(service, "DELETE", pathTo(slug))).status).toBe(200);
  await put(service, slug);
}

const monitor = (slug: string, more: obs.MonitorArgs = {}, options: obs.ResourceOptions = {}) =>
  new obs.Monitor(slug, { ...args, ...more }, options);
const changed = { intervalSecs: 90 };
const createdAt = async (service: Service, slug: string) => (await liveMonitor(service, slug))?.created_at;
const notesOf = ({ messages }: Outcome) => messages.map(({ text }) => text).join("\n");

describe("an object that somebody deleted and made anew under the same slug", () => {
  let service: Service;
  let stack: TestStack;
  let preview: Outcome;
  let up: Outcome;
  const slugs = ["changed", "dropped", "adopted", "identical"];
  const program = () => {
    for (const slug of slugs) monitor(slug);
  };
  const later = () => {
    monitor("changed", changed);
    monitor("adopted", changed, { adopt: true });
    monitor("identical", changed, { adopt: "identical" });
    monitor("untouched");
  };
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
    await done(
      stack.up(() => {
        program();
        monitor("untouched");
      }),
    );
    for (const slug of slugs) await makeAnew(service, slug);
    preview = await stack.preview(later);
    up = await stack.up(later, { continueOnError: true });
  });

  test("is red in the preview, with what happened, when, and the ways out", async () => {
    expect(preview.failed).toBe(true);
    const errors = preview.messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
    const about = (slug: string) =>
      errors.filter((text) => text.includes(`monitor "${slug}": it is not the recorded object`));
    expect(about("changed"), preview.text).toHaveLength(1);
    expect(about("changed")[0]).toContain(`this one was created at ${String(await createdAt(service, "changed"))}`);
    expect(about("changed")[0]).toMatch(/that was created at .*pulumi refresh.*adopt: true/);
    expect(about("adopted")).toEqual([]);
    expect(preview.text).toContain('takes over monitor "adopted", changes: ');
    expect(errors.join("\n")).toMatch(/monitor "identical" already exists and differs in/);
  });

  test("is not overwritten by an update, and taken over with adopt", async () => {
    expect(up.text).toContain('unable to update monitor "changed": it is not the recorded object');
    expect(await liveMonitor(service, "changed")).toMatchObject({ name: "theirs" });
    expect(await liveMonitor(service, "identical")).toMatchObject({ name: "theirs" });
    expect(await liveMonitor(service, "adopted")).toMatchObject({ name: "adopted", interval_secs: 90 });
  });

  test("is not deleted, and that is said", async () => {
    expect(up.text).toMatch(/monitor "dropped" \(created at [^)]*\): left in place, because not the recorded object/);
    expect(await liveMonitor(service, "dropped")).toMatchObject({ name: "theirs" });
  });

  test("is taken as the stack's own by one refresh, which counts all", async () => {
    const own = ["changed", "identical", "adopted", "untouched"];
    for (const slug of own) await makeAnew(service, slug);
    const refreshed = await done(stack.refresh());
    const told = notesOf(refreshed).match(/taken as this stack's own, though [^:]*: 4 objects: .*/)?.[0];
    for (const slug of own) expect(told).toContain(`monitor "${slug}" (created at`);
    const declared = () => {
      for (const slug of own) monitor(slug, changed);
    };
    await done(stack.up(declared));
    expect((await done(stack.preview(declared, { refresh: true }))).steps).toEqual({ refresh: 4, same: 4 });
    await done(stack.destroy());
    for (const slug of own) expect(await liveMonitor(service, slug)).toBeUndefined();
    expect(await liveMonitor(service, "dropped")).toBeDefined();
  });
});

test("an object that somebody made anew is not replaced either, and that is red before anything is deleted", async () => {
  const service = await ownService();
  const stack = await newStack(service.url);
  const program = (more: obs.MonitorArgs) => () => monitor("errors", more, { replaceOnChanges: ["intervalSecs"] });
  await done(stack.up(program({})));
  await makeAnew(service, "errors");
  const words = 'monitor "errors": it is not the recorded object';
  expect(await refused(stack.preview(program(changed)))).toContain(words);
  expect(await refused(stack.up(program(changed)))).toContain(words);
  expect(await liveMonitor(service, "errors")).toMatchObject({ name: "theirs" });
});

describe("what an object costs to recognise", () => {
  const count = isDeep ? 1_000 : 40;
  const names = Array.from({ length: count }, (_, i) => `monitor-${i}`);
  test.skipIf(!isDeep)(`a preview and a destroy of ${count} read pages, and an update reads each object`, async () => {
    const service = await ownService();
    const stack = await newStack(service.url, { env: { PULUMI_SKIP_CHECKPOINTS: "true" } });
    const program = (more: obs.MonitorArgs) => () => names.forEach((name) => monitor(name, more));
    await done(stack.up(program({})));
    takeCounts(service);
    const looks = () => {
      const {
        "DELETE monitors/{slug}": deletes,
        "PUT monitors/{slug} dry": validations,
        ...others
      } = takeCounts(service);
      expect(deletes ?? validations).toBe(count);
      return Object.values(others).reduce((sum, each) => sum + each, 0);
    };
    await done(stack.preview(program(changed)));
    const inPreview = looks();
    await done(stack.up(program(changed)));
    expect(takeCounts(service)).toMatchObject({ "PUT monitors/{slug}": count, "GET monitors/{slug}": count });
    await done(stack.destroy());
    const inDestroy = looks();
    reportFigure(`looks at ${count} monitors: in a preview of a change of all ${inPreview}, in a destroy ${inDestroy}`);
    expect(Math.max(inPreview, inDestroy)).toBeLessThanOrEqual(20);
  });
});

test.skipIf(!isDeep)("after a move of the service to a copy, each object vouches for itself", async () => {
  const database = join(ownFolder(), "a.db");
  const copy = join(ownFolder(), "b.db");
  const service = await startService({ database, token });
  const stack = await newStack(service.url);
  await done(stack.up(() => ["a", "b", "c"].forEach((slug) => monitor(slug))));
  await service.close();
  copyFileSync(database, copy);
  copyFileSync(`${database}.key`, `${copy}.key`);
  const moved = await ownService({ database: copy });
  await makeAnew(moved, "b");
  await stack.setConfig("observability:baseUrl", moved.url);
  const program = () => ["a", "b", "c"].forEach((slug) => monitor(slug));
  const preview = await stack.preview(program);
  const errors = preview.messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
  expect(errors.join("\n"), preview.text).toContain('unable to compare monitor "b": it belongs to the service at');
  // A destroy takes the address from the program, and that from the workspace.
  stack.stack.workspace.program = async () => program();
  const destroyed = await stack.destroy({ continueOnError: true, runProgram: true });
  expect(destroyed.failed, destroyed.text).toBe(true);
  expect(await liveMonitor(moved, "a")).toBeUndefined();
  expect(await liveMonitor(moved, "b")).toMatchObject({ name: "theirs" });
});

describe("an answer about another object", () => {
  let service: Service;
  let proxy: FaultProxy;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    proxy = await ownProxy(service.url);
    stack = await newStack(proxy.url);
    await put(service, "other");
    await done(stack.up(() => program()));
  });
  const program = (more: obs.MonitorArgs = {}) => {
    monitor("errors", more);
    new obs.Notifier("pager", { discard: true });
  };
  const another = edited("another", ({ monitor: object }) => ({ monitor: { ...(object as Json), slug: "other" } }));

  test("is not taken into state by a refresh", async () => {
    proxy.use(({ method, path }: Arrival) => (method === "GET" && path === pathTo("errors") ? another : undefined));
    const text = await refused(stack.refresh());
    expect(text).toContain(`GET ${pathTo("errors")} answered with another object, whose slug is "other"`);
    const { resources } = await stack.state();
    expect(JSON.stringify(resources)).not.toContain('"slug":"other"');
  });

  test("in a list proves nothing gone", async () => {
    const other = { slug: "other", name: "other", discard: true };
    proxy.use(({ query }: Arrival) =>
      query.has("slugs") ? edited("another", () => ({ notifiers: [other], page: {} })) : undefined,
    );
    await done(stack.refresh());
    expect((await stack.state()).resources.filter(({ type }) => type.endsWith(":Notifier"))).toHaveLength(1);
  });

  test.skipIf(!isDeep)("to a write is looked at, and no message offers to delete what is not ours", async () => {
    proxy.use(({ method, dryRun }: Arrival) => (method === "PUT" && !dryRun ? another : undefined));
    await done(stack.up(() => program(changed)));
    expect(await liveMonitor(service, "errors")).toMatchObject({ interval_secs: 90 });
    proxy.reset();
    await done(stack.destroy());
    expect(await liveMonitor(service, "other")).toBeDefined();
  });
});

describe("a creating PUT", () => {
  test("is not repeated over what somebody has created meanwhile", async () => {
    const service = await ownService();
    const proxy = await ownProxy(service.url);
    const stack = await newStack(proxy.url);
    let isFirst = true;
    proxy.use(({ method, dryRun }: Arrival) => {
      if (method !== "PUT" || dryRun || !isFirst) return undefined;
      isFirst = false;
      return meanwhile(() => put(service, "errors"), failing(503));
    });
    const text = await refused(stack.up(() => monitor("errors")));
    expect(text).toContain('unable to create monitor "errors": the answer was lost');
    expect(text).toMatch(/the object under its slug is not what was sent.*adopt: true/);
    expect(await liveMonitor(service, "errors")).toMatchObject({ name: "theirs" });
  });

  test("that overwrites what another stack creates at the same moment is an error, and not recorded", async () => {
    const service = await ownService();
    const proxy = await ownProxy(service.url);
    const [stack, second] = await Promise.all([newStack(proxy.url), newStack(service.url, { project: "team-b" })]);
    proxy.use(({ method, dryRun }: Arrival) =>
      method === "PUT" && !dryRun
        ? meanwhile(() => done(second.up(() => monitor("errors", { intervalSecs: 30 }))))
        : undefined,
    );
    const text = await refused(stack.up(() => monitor("errors")));
    expect(text).toContain("somebody has created one at the same moment");
    expect((await stack.state()).resources.filter(({ type }) => type.endsWith(":Monitor"))).toEqual([]);
    await done(stack.destroy());
    expect(await liveMonitor(service, "errors")).toBeDefined();
  });
});

describe.skipIf(!isDeep)("a DELETE that is answered by something that is no proof", () => {
  const reply = (text: string) => ({
    ...edited("reply", () => ({})),
    reaches: false,
    reply: () => ({ status: 200, headers: {}, text }),
  });
  const answers = {
    "200 with an error": ['{"code":13,"message":"no backend"}', /DELETE .*a answered 200.*no backend/],
    "200 with nothing": ["", /"b": .*answered with success, but the object is still there/],
    "200 with something else": ['{"ok":true}', /"c": .*answered with success, but the object is still there/],
  } as const;
  const slugs = ["a", "b", "c"];

  test("is no success, and an answer of the service's own form costs nothing more", async () => {
    const service = await ownService();
    const proxy = await ownProxy(service.url);
    const stack = await newStack(proxy.url);
    await done(stack.up(() => slugs.forEach((slug) => monitor(slug))));
    proxy.use(({ method, path }: Arrival) =>
      method === "DELETE"
        ? reply(Object.values(answers)[slugs.findIndex((slug) => path.endsWith(slug))]?.[0] ?? "")
        : undefined,
    );
    const text = await refused(stack.destroy({ continueOnError: true }));
    for (const [answer, [, words]] of Object.entries(answers)) expect.soft(text, answer).toMatch(words);
    for (const slug of slugs) expect(await liveMonitor(service, slug)).toBeDefined();

    proxy.reset();
    takeCounts(service);
    await done(stack.destroy());
    expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 3, "DELETE monitors/{slug}": 3 });
  });
});

describe("with --continue-on-error, an owner that has failed keeps its object safe", () => {
  class Team extends pulumi.ComponentResource {
    constructor(type: string, name: string, opts: pulumi.ComponentResourceOptions = {}) {
      super(`test:index:${type}`, name, {}, opts);
    }
  }
  test.skipIf(!isDeep)(
    "where the class of its component was renamed, or the names of its parents read the same",
    async () => {
      const service = await ownService();
      const stack = await newStack(service.url);
      const declare = (slug: string, name: string, parent: Team, dependsOn: pulumi.Resource[] = []) =>
        new obs.Monitor(name, { ...args, slug }, { parent, adopt: true, dependsOn });
      await done(
        stack.up(() => {
          declare("renamed", "errors", new Team("Team", "checkout"));
          declare("nested", "errors", new Team("Inner", "a", { parent: new Team("Team", "search") }));
        }),
      );
      const outcome = await stack.up(
        () => {
          const broken = [new obs.Dataset("broken", { configuration: { type: "LOGS" } })];
          declare("renamed", "errors", new Team("Squad", "checkout"), broken);
          declare("nested", "a/errors", new Team("Team", "search"), broken);
        },
        { continueOnError: true },
      );
      expect(outcome.failed, outcome.text).toBe(true);
      for (const slug of ["renamed", "nested"]) {
        expect(outcome.text).toContain(`monitor "${slug}" is left in place`);
        expect(await liveMonitor(service, slug)).toBeDefined();
      }
    },
  );
});

/** A service whose times all are of the same second. */
const coarse: Layer = {
  request: (_, text) => text,
  reply: (_, reply) => ({
    ...reply,
    text: reply.text.replace(/"((?:created|updated)_at)":"[^"]*"/g, '"$1":"2026-01-01T00:00:00Z"'),
  }),
};

describe("two spellings of one address", () => {
  test.skipIf(!isDeep)("are one service: what a new name has adopted under the other one stays", async () => {
    const service = await ownService();
    const stack = await newStack(service.url);
    await done(stack.up(() => monitor("errors")));
    const at = await createdAt(service, "errors");
    const renamed = (options: obs.ResourceOptions) => () => {
      const provider = new obs.Provider("other", {
        baseUrl: service.url.replace("127.0.0.1", "localhost"),
        apiToken: token,
      });
      new obs.Monitor("failures", { ...args, slug: "errors", name: "errors" }, { provider, ...options });
    };
    const { text } = await done(stack.up(renamed({ adopt: true })));
    expect(text).toContain('monitor "errors" is left in place, because the resource "failures" declares it');
    expect(await createdAt(service, "errors")).toBe(at);
    expect((await done(stack.preview(renamed({}), { refresh: true }))).steps).toEqual({ refresh: 1, same: 1 });
  });

  test.skipIf(!isDeep)("with times that are not exact are two services, as far as anybody can tell", async () => {
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
});

describe("an update", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService({ showSecrets: true });
    stack = await newStack(service.url);
  });

  test("says which edits by others it takes back, field by field", async () => {
    await done(stack.up(() => monitor("errors", { labels: { team: "a", tier: "1" }, intervalSecs: 60 })));
    const { updated_at: _, ...live } = (await liveMonitor(service, "errors")) ?? {};
    await ask(service, "PUT", pathTo("errors"), {
      monitor: { ...live, labels: { team: "b", tier: "1" }, notification_policy_slug: "theirs" },
    });
    const up = await done(stack.up(() => monitor("errors", { labels: { team: "a", tier: "1" }, intervalSecs: 90 })));
    const note = notesOf(up);
    expect(note).toContain(
      'monitor "errors" was changed outside of this stack, and this update takes that back: it changes: labels.team "b" → "a"',
    );
    expect(note).toContain('erases: notificationPolicySlug "theirs"');
    expect(note).not.toContain("intervalSecs");
    const quiet = await done(stack.up(() => monitor("errors", { labels: { team: "a", tier: "1" }, intervalSecs: 30 })));
    expect(notesOf(quiet)).not.toContain("takes that back");
  });

  test("keeps what the program ignores as the service has it, and so does a take-over", async () => {
    await put(service, "ignored", {
      name: "ignored",
      labels: { team: "theirs" },
      series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
    });
    const program = (intervalSecs?: number) => () =>
      monitor(
        "ignored",
        // The service has other labels, and no annotations.
        {
          labels: { team: "ours" },
          annotations: { by: "us" },
          ...(intervalSecs === undefined ? {} : { intervalSecs }),
        },
        { adopt: "identical", ignoreChanges: ["labels", "annotations"] },
      );
    const { text } = await done(stack.up(() => void [program()(), monitor("errors")]));
    expect(text).toContain('takes over monitor "ignored" as it is');
    expect(await liveMonitor(service, "ignored")).toMatchObject({ labels: { team: "theirs" } });
    expect((await done(stack.preview(() => void [program()(), monitor("errors")]))).steps).toEqual({ same: 2 });
    await done(stack.up(() => void [program(90)(), monitor("errors")]));
    const live = await liveMonitor(service, "ignored");
    expect(live).toMatchObject({ labels: { team: "theirs" }, interval_secs: 90 });
    expect(live?.annotations ?? {}).toEqual({});
  });

  test.skipIf(!isDeep)("records what it kept, also when the answer to a take-over was lost", async () => {
    await put(service, "lost-answer", { labels: { team: "theirs" } });
    const proxy = await ownProxy(service.url);
    proxy.use(({ method, dryRun }) => (method === "PUT" && !dryRun ? halfOfTheJson : undefined));
    const behind = await newStack(proxy.url);
    const program = () =>
      monitor("lost-answer", { labels: { team: "ours" } }, { adopt: true, ignoreChanges: ["labels"] });
    await done(behind.up(program));
    expect(proxy.done()).toHaveProperty([halfOfTheJson.name]);
    const [recorded] = (await behind.state()).resources.filter(({ id }) => id === "lost-answer");
    expect(recorded?.outputs).toMatchObject({ labels: { team: "theirs" } });
  });

  test("writes what was ignored, as soon as the program no longer ignores it", async () => {
    await put(service, "ignored-once", { labels: { team: "theirs" } });
    const program = (ignoreChanges: string[]) => () => {
      monitor("ignored-once", { labels: { team: "ours" } }, { adopt: true, ignoreChanges });
    };
    const own = await newStack(service.url);
    await done(own.up(program(["labels"])));
    expect(await liveMonitor(service, "ignored-once")).toMatchObject({ labels: { team: "theirs" } });
    expect((await done(own.preview(program([])))).steps).toEqual({ update: 1 });
    await done(own.up(program([])));
    expect(await liveMonitor(service, "ignored-once")).toMatchObject({ labels: { team: "ours" } });
  });
});

describe("a replacement that the engine forces without asking the provider", () => {
  test("is red in the preview, with the way out", async () => {
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
  });

  test.skipIf(!isDeep)("is red where nothing can be deleted first, and foretells what it takes over", async () => {
    const service = await ownService();
    const stack = await newStack(service.url);
    const program = (intervalSecs: number, options: obs.ResourceOptions) => () =>
      monitor("errors", { intervalSecs }, { replaceOnChanges: ["intervalSecs"], ...options });
    await done(stack.up(program(30, {})));
    await stack.setConfig("observability:onMissingDelete", "retain");
    expect(await refused(stack.preview(program(60, {})))).toMatch(/monitor "errors" already exists.*adopt: true/);
    await stack.setConfig("observability:onMissingDelete", "fail");
    const retained = program(60, { retainOnDelete: true, adopt: true });
    await done(stack.up(program(30, { retainOnDelete: true, adopt: true })));
    const [preview, up] = [await done(stack.preview(retained)), await done(stack.up(retained))];
    for (const each of [preview, up])
      expect(notesOf(each)).toContain('takes over monitor "errors", changes: intervalSecs 30 → 60');
  });
});

test.skipIf(!isDeep)(
  "an update that skips the preview asks before it deletes first, also with validate never",
  async () => {
    const service = await ownService();
    const stack = await newStack(service.url);
    await stack.setConfig("observability:validate", "never");
    await done(stack.up(() => monitor("errors", {}, { replaceOnChanges: ["schedule"] })));
    const before = await liveMonitor(service, "errors");
    const wrong = { schedule: { timezone: "Mars/Phobos" } };
    await refused(stack.up(() => monitor("errors", wrong, { replaceOnChanges: ["schedule"] })));
    expect(await liveMonitor(service, "errors")).toEqual(before);
  },
);

test.skipIf(!isDeep)("what was moved by an alias and is replaced by request is its own", async () => {
  const service = await ownService();
  const stack = await newStack(service.url);
  await done(stack.up(() => new obs.Monitor("before", { ...args, slug: "errors" })));
  const options = { aliases: [{ name: "before" }], deleteBeforeReplace: true };
  const moved = () => new obs.Monitor("after", { ...args, slug: "errors", name: "before" }, options);
  await done(stack.up(moved));
  const at = await createdAt(service, "errors");
  const replace = ["urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::after"];
  await done(stack.up(moved, { replace }));
  expect(await createdAt(service, "errors")).not.toBe(at);
});

test.skipIf(!isDeep)(
  "where a service shows no creation times, an update and a delete say that nothing was compared",
  async () => {
    const service = await ownService();
    const untimed = await ownProxy(service.url, {
      request: (_, text) => text,
      reply: (_, reply) => ({
        ...reply,
        text: reply.text.replace(/"(?:created|updated)_at":"[^"]*",?/g, "").replace(/,}/g, "}"),
      }),
    });
    const stack = await newStack(untimed.url);
    await done(stack.up(() => monitor("errors")));
    const words = /no creation time of a monitor: what is \w+ is not compared with the recorded object/;
    expect(notesOf(await done(stack.up(() => monitor("errors", changed))))).toMatch(words);
    expect(notesOf(await done(stack.destroy()))).toMatch(words);
  },
);
