import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { begin, type Outcome, type TestStack } from "../support/engine.js";
import { args, conditions, done } from "../support/monitors.js";
import { ask, takeCounts } from "../support/service.js";

const changedArgs = { ...args, intervalSecs: 90 };

/** The monitors of a service, by slug. */
const monitorsOf = async (service: Service): Promise<Readonly<Record<string, Record<string, unknown>>>> => {
  const { body } = await ask(service, "GET", "/api/v1/config/monitors");
  return Object.fromEntries((body.monitors as { slug: string }[]).map((each) => [each.slug, each]));
};
/** What was told of a resource, and how gravely. */
const toldOf = ({ messages }: Outcome, resource: string) =>
  messages.flatMap(({ name, severity, text }) => (name === resource ? [`${severity}: ${text}`] : [])).join("\n");

// The tests are the steps of one life, in order.
describe("in one stack's life", () => {
  let service: Service;
  let stack: TestStack;
  let made: Awaited<ReturnType<typeof monitorsOf>>;
  const swapped = (one: string, other: string, options: obs.ResourceOptions = {}) => {
    new obs.Monitor("one", { ...args, slug: one, intervalSecs: 30 }, options);
    new obs.Monitor("other", { ...args, slug: other, intervalSecs: 90 }, options);
  };
  // Pulumi accepts customTimeouts, but only the provider's own time limits count.
  const successor = (change: obs.MonitorArgs) => {
    const options = { deleteBeforeReplace: true, customTimeouts: { create: "1s" } };
    new obs.Monitor("successor", { ...args, ...change }, options);
  };
  const renamed = () => {
    new obs.Monitor("ignored", changedArgs, { ignoreChanges: ["intervalSecs"] });
    new obs.Monitor("with-alias", { ...args, name: "aliased" }, { aliases: [{ name: "aliased" }] });
  };
  const after = (change: obs.MonitorArgs = { slug: "old" }, adopt = true) => {
    renamed();
    successor(change);
    const options = { aliases: [{ name: "replaced" }], replaceOnChanges: ["intervalSecs"] };
    new obs.Monitor("its-successor", { ...changedArgs, name: "replaced" }, options);
    new obs.Monitor("deleted", changedArgs);
    new obs.Monitor("prefixed", args, { provider: new obs.Provider("own") });
    swapped("right", "left", { adopt });
  };
  beforeAll(async () => {
    ({ service, stack } = await begin());
    const before = () => {
      for (const name of ["ignored", "aliased", "replaced", "deleted"]) new obs.Monitor(name, args);
      successor({ slug: "old" });
      swapped("left", "right");
    };
    await done(stack.up(before));
    made = await monitorsOf(service);
    await stack.setConfig("observability:slugPrefix", "team-a-");
  });

  test("an alias, ignoreChanges and a new slug prefix change nothing, at the cost of one request", async () => {
    const unchanged = () => {
      renamed();
      successor({ slug: "old" });
      for (const name of ["replaced", "deleted"]) new obs.Monitor(name, args);
      swapped("left", "right");
    };
    takeCounts(service);
    expect((await done(stack.preview(unchanged))).steps).toEqual({ same: 7 });
    expect(takeCounts(service)).toEqual({ "GET monitors": 1 });
  });

  test("a preview names what options make wrong at each resource, and warns of an edited one whose object somebody has deleted", async () => {
    await ask(service, "DELETE", "/api/v1/config/monitors/deleted");
    const spoilt = (props: Record<string, unknown>) => ({ ...props, intervalSecs: -5 });
    const preview = await stack.preview(() => {
      after(undefined, false);
      new obs.Monitor("of-transformations", args, {
        transformations: [({ props, opts }) => ({ props: spoilt(props), opts })],
      });
      new obs.Monitor("of-transforms", args, {
        transforms: [async ({ props, opts }) => ({ props: spoilt(props), opts })],
      });
      for (const name of ["One", "Two"]) {
        const parent = new pulumi.ComponentResource(`test:index:${name}`, name);
        new obs.Monitor("twice", args, { parent });
      }
    });
    expect(preview.failed).toBe(true);
    // Which of the two is checked first is open, and that one may not know of the other yet.
    const conflicts = ["one", "other"].map((name) => toldOf(preview, name));
    for (const told of conflicts) expect(told).toMatch(/already exists and .* adopt: true/);
    const known =
      /already exists and belongs to the resource "(one|other)" of this program, whose slug changes in the same update/;
    expect(conflicts.join("\n")).toMatch(known);
    for (const option of ["transformations", "transforms"])
      expect(toldOf(preview, `of-${option}`)).toContain("intervalSecs: ");
    // One name under two parents makes one slug twice.
    expect(toldOf(preview, "twice")).toContain(". Set another slug on one of them");
    expect(toldOf(preview, "deleted")).toContain(
      'warning: monitor "deleted" no longer exists in the service: the update recreates it',
    );
  });

  test("an update swaps slugs with adopt, and keeps the slug of what was renamed or is replaced", async () => {
    expect((await done(stack.up(() => after()))).steps).toMatchObject({ replace: 3 });
    const changed = await monitorsOf(service);
    expect(Object.keys(changed).sort()).toEqual(
      ["aliased", "deleted", "ignored", "left", "old", "replaced", "right", "team-a-prefixed"].sort(),
    );
    expect(changed.aliased).toEqual(made.aliased);
    expect(changed.ignored).toEqual(made.ignored);
    for (const slug of ["replaced", "deleted"]) expect(changed[slug]).toMatchObject({ interval_secs: 90 });
    expect(changed.right).toMatchObject({ name: "one", interval_secs: 30 });
    expect(changed.left).toMatchObject({ name: "other", interval_secs: 90 });
    expect((await done(stack.preview(() => after(), { refresh: true }))).steps).toEqual({ refresh: 8, same: 8 });
  });

  test("deleteBeforeReplace validates the successor before anything is deleted, in an update too", async () => {
    const before = await monitorsOf(service);
    const invalid = await stack.up(() => after({ slug: "new", intervalSecs: -1 }));
    expect(invalid.failed).toBe(true);
    expect(invalid.text).toContain("intervalSecs: ");
    expect(await monitorsOf(service)).toEqual(before);
  });

  test("deleteBeforeReplace does not mistake somebody else's object for the one it removes", async () => {
    const monitor = { name: "Theirs", label_query: "up", series_conditions: conditions };
    await ask(service, "PUT", "/api/v1/config/monitors/theirs", { create_if_missing: true, monitor });
    const taken = await stack.preview(() => after({ slug: "theirs" }));
    expect(taken.failed).toBe(true);
    expect(taken.text).toContain('monitor "theirs" already exists');
  });
});
