import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import { begin, type Program, type TestStack } from "../support/engine.js";
import { failing, ownProxy } from "../support/faults.js";
import { args, conditions, done } from "../support/monitors.js";
import { secretMark } from "../support/plain.js";
import { ask } from "../support/service.js";

type Value = pulumi.Input<string>;

const canary = "CANARY-payments";
const marked = (value: string): Value => pulumi.secret(value);

let service: Service;
let stack: TestStack;

beforeEach(async () => {
  ({ service, stack } = await begin());
});

const monitor =
  (labels: pulumi.Input<Record<string, Value>>, options: obs.ResourceOptions = {}, name = "errors"): Program =>
  () =>
    void new obs.Monitor(name, { ...args, labels }, options);

const dataset = (slug: Value) => new obs.Dataset("logs", { slug, configuration: { type: "LOGS", logDataset: {} } });

/** Writes a monitor as another client does. */
const write = (slug: string, more: object) =>
  ask(service, "PUT", `/api/v1/config/monitors/${slug}`, {
    create_if_missing: true,
    monitor: { name: slug, label_query: "up", series_conditions: conditions, ...more },
  });

test("a mark that is taken away is no change, and no edit of its value is shown then; and a value that the program marks from now on is encrypted by one update, through a refresh too", async () => {
  const isInState = async () => JSON.stringify(await stack.state()).includes(canary);
  const both = (labels: Record<string, Value>, edited: Value) => () => {
    monitor(labels)();
    monitor({ team: edited }, {}, "edited")();
  };
  await done(stack.up(both({ team: marked(canary) }, marked("a"))));
  expect(await isInState()).toBe(false);
  // Of refresh, destroy and errors: places.test.ts.
  await write("edited", { labels: { team: canary } });
  const { steps, text } = await done(stack.up(both({ team: canary }, "b")));
  expect(steps).toEqual({ same: 1, update: 1 });
  expect(text).toMatch(/This update overwrites the edit .* It changes: labels\.team \[secret\] → \[secret\]/);
  // With the next change it is in plain text, so a new mark is a change.
  await done(stack.up(monitor({ team: canary, tier: "1" })));
  expect(await isInState()).toBe(true);
  const program = monitor({ team: marked(canary), tier: "1" });
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, update: 1 });
  expect(await isInState()).toBe(false);
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, same: 1 });
});

test("a rejection keeps the words that neither the program marks nor a transformation adds, an adoption shows no value of a marked place, a slug that was unmarked is accepted, and the notes in state are encrypted where the arguments may have a secret", async () => {
  await write("adopted", { labels: { team: canary, tier: "1" } });
  await write("latency", { labels: { [canary]: "a" } });
  const proxy = await ownProxy(service.url);
  await stack.setConfig("observability:baseUrl", proxy.url);
  // What is struck from it: table.test.ts.
  const rejection = failing(400, { code: 400008, message: `it is wrong: ${canary}, staging and checkout` });
  proxy.use(({ dryRun, path }) => (dryRun && path.endsWith("/rejected") ? rejection : undefined));
  const transformations: pulumi.ResourceTransformation[] = [({ props, opts }) => ({ props, opts })];
  const { failed, messages } = await stack.preview(() => {
    monitor(pulumi.secret({ tier: "2" }), {}, "latency")();
    monitor({ tier: "staging", area: marked("checkout") }, { transformations }, "rejected")();
  });
  expect(failed).toBe(true);
  const toldOf = (resource: string) => messages.flatMap(({ name, text }) => (name === resource ? [text] : [])).join();
  expect(toldOf("rejected")).toContain(`it is wrong: ${canary}, staging and [secret]`);
  expect(toldOf("latency")).toMatch(/monitor "latency" already exists and differs in labels[,. ]/);
  expect(toldOf("latency")).not.toContain(canary);
  const program = () => {
    monitor({ team: marked("another"), tier: "2" }, { adopt: true }, "adopted")();
    monitor(pulumi.secret({ tier: "2" }), { adopt: true }, "latency")();
    monitor({ team: "a" }, {}, "plain")();
    monitor(Promise.resolve({ team: marked(canary) }), {}, "promised")();
    monitor({ team: "a" }, { transformations }, "transformed")();
    monitor({ team: canary }, { additionalSecretOutputs: ["labels"] }, "optional")();
    new obs.Notifier("pager", { email: { to: "a@example.com" } });
    dataset(pulumi.unsecret(pulumi.secret("unmarked")));
  };
  for (const { text, messages } of [await done(stack.preview(program)), await done(stack.up(program))]) {
    expect(text).toContain('labels.team [secret] → [secret], labels.tier "1" → "2"');
    expect(text).toContain("erases: labels [secret]");
    expect(`${text}${JSON.stringify(messages)}`).not.toContain(canary);
  }
  const { resources } = await stack.state();
  const isPlain = ({ outputs }: (typeof resources)[number]) => !(secretMark[0] in (outputs?.__observability as object));
  const ours = resources.filter(({ outputs }) => outputs?.__observability !== undefined);
  expect(ours).toHaveLength(8);
  expect(ours.filter(isPlain).map(({ id }) => id)).toEqual(["plain"]);
});

test.each(["dynamic", "plugin"])(
  "an argument in additionalSecretOutputs with a secret inside is validated, encrypted, and readable by the program, under the host %s",
  async (host) => {
    await stack.setConfig("observability:host", host);
    const [url, filter] = [`https://${canary}.example.com`, `env="${canary}"`];
    const slo = caseOf("SLO").args;
    const hiding = (...names: string[]) => ({ additionalSecretOutputs: names });
    const seen: unknown[] = [];
    const program = () => {
      const labels = { team: marked(canary) };
      const read: pulumi.Output<unknown>[] = [
        new obs.Monitor("errors", { ...args, labels }, hiding("labels")).labels,
        new obs.Monitor("plain", { ...args, labels: { team: canary } }, hiding("labels")).labels,
        new obs.Notifier("pager", { webhook: { url } }, hiding("webhook")).webhook,
      ];
      pulumi.all(read).apply((values) => void seen.push(values));
      const sli = { ...(slo.sli as object), additionalLabelFilters: marked(filter) };
      new obs.SLO("sli", { ...slo, sli } as unknown as obs.SLOArgs, hiding("sli"));
      const transformations: pulumi.ResourceTransformation[] = [
        ({ props, opts }) => ({ props, opts: { ...opts, ...hiding("labels") } }),
      ];
      new obs.Monitor("transformed", { ...args, labels }, { transformations });
    };
    expect((await done(stack.preview(program, { diff: true }))).text).not.toContain(canary);
    expect((await done(stack.up(program, { diff: true }))).text).not.toContain(canary);
    expect(seen).toEqual([0, 1].map(() => [{ team: canary }, { team: canary }, expect.objectContaining({ url })]));
    expect(JSON.stringify(await stack.state())).not.toContain(canary);
    expect((await done(stack.preview(program, { refresh: true }))).steps).toEqual({ refresh: 5, same: 5 });
  },
);
