import { type Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type Layer, ownProxy } from "../support/faults.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ask, ownService, token } from "../support/service.js";

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

/** A service whose times all are of the same second. */
const coarse: Layer = {
  request: (_, text) => text,
  reply: (_, reply) => ({
    ...reply,
    text: reply.text.replace(/"((?:created|updated)_at)":"[^"]*"/g, '"$1":"2026-01-01T00:00:00Z"'),
  }),
};

test("two addresses whose creation times are not exact are two services", async () => {
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

test("an update reports the outside edits that it overwrites, field by field", async () => {
  const service = await ownService({ showSecrets: true });
  const stack = await newStack(service.url);
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

test("a replacement that the engine forces without asking the provider fails in the preview, with what to do", async () => {
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
