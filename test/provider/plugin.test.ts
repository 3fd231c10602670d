import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { failuresText } from "../../dist/provider/lifecycle/notes/explain.js";
import { Results } from "../../dist/provider/lifecycle/objects/results.js";
import { startSession } from "../../dist/provider/lifecycle/session.js";
import { activity } from "../../dist/provider/plugin/activity.js";
import { PluginProcess } from "../../dist/provider/plugin/pluginProcess.js";
import { Resources } from "../../dist/provider/plugin/resources.js";
import { received, sent } from "../../dist/provider/plugin/values.js";
import { withMarkAt } from "../../dist/provider/values/secrets.js";
import { unknown } from "../../dist/provider/values/unknown.js";
import { ownFolder } from "../support/folders.js";
import { localHost } from "../support/host.js";
import { portOf } from "../support/http.js";
import { live, ownService, put, token } from "../support/service.js";

const urnOf = (kind: string) => `urn:pulumi:dev::team::observability:index:${kind}::made`;
const urn = urnOf("Monitor");

/** A plugin in the tests' own process, with an object that it has imported. */
async function withImported(change: Readonly<Record<string, string>> = {}, kind = "Monitor", id = "made", args = {}) {
  const service = await ownService();
  await put(service, kind, id, args);
  const settings: typeof change = { baseUrl: service.url, apiToken: token, ...change };
  const note = vi.fn();
  const run = startSession((name) => settings[name], note, new Claims(join(ownFolder(), "operation")));
  const urn = urnOf(kind);
  const resources = new Resources({ session: run, secretSettings: [] as const } as unknown as PluginProcess);
  const read = await resources.read(new proto.ReadRequest().setUrn(urn).setId(id));
  const [outputs, { properties: inputs }] = [read.getProperties(), received(read.getInputs())];
  const check = async (news: object, olds: object = {}, at = urn) => {
    const request = new proto.CheckRequest()
      .setUrn(at)
      .setOlds(sent({ ...olds }))
      .setNews(sent({ ...news }));
    return (await resources.check(request)).getFailuresList().map((each) => each.getReason());
  };
  const remove = (at = urn) => resources.delete(new proto.DeleteRequest().setUrn(at).setId(id).setProperties(outputs));
  return { service, settings, note, run, resources, outputs, inputs, check, remove };
}

test("an imported object is deleted for --replace, unless the declaration has another kind or a wrong type", async () => {
  const wrong = await withImported();
  const diff = localHost(wrong.settings).diff("Notifier", "made", received(wrong.outputs).properties, wrong.inputs);
  await expect(diff).rejects.toThrow("a Monitor, which can't become a Notifier");
  expect(await wrong.check({ ...wrong.inputs, intervalSecs: "x" })).toEqual([]);
  await expect(wrong.remove()).rejects.toThrow("validation: intervalSecs: expected a whole number, got a string");
  await expect(wrong.resources.create(new proto.CreateRequest().setUrn(urn))).rejects.toThrow(/^intervalSecs: /);
  // Without a slug, the recorded object shows whose replacement it is. The engine deletes under the former URN.
  const noSlug = await withImported();
  const secretSlug = withMarkAt(noSlug.inputs, ["slug"]) as object;
  await noSlug.check(secretSlug, noSlug.inputs);
  await noSlug.check(secretSlug);
  await expect(noSlug.remove(urn.replace(/made$/, "former"))).rejects.toThrow("the program marks the slug as secret");
  const { service, inputs, check, remove } = await withImported();
  await check(inputs);
  await remove();
  expect(await live(service, "Monitor", "made")).toBeUndefined();
});

test("without a class, what ignoreChanges names that is no argument's path is told once", async () => {
  const { resources, inputs, outputs, note } = await withImported();
  const request = new proto.DiffRequest()
    .setUrn(urn)
    .setId("made")
    .setOlds(outputs)
    .setNews(sent({ ...inputs }))
    .setIgnorechangesList(["intervalSecs", "label_query"]);
  for (const _ of ["the preview", "the update"]) await resources.diff(request);
  const words = 'monitor "made": ignoreChanges contains label_query, which is not the path of an argument';
  expect(note.mock.calls).toEqual([[expect.stringContaining(words), "warning"]]);
});

test("another service's or tenant's object under the slug has no say in what is deleted", async () => {
  const replaced = await withImported();
  const claim = {
    objectKey: "Monitor/made",
    recordedKey: "Monitor/made",
    instance: "2",
    qualifiedNames: ["two"],
  };
  const { claims, origin } = replaced.run;
  claims.claim({ ...claim, serviceUrl: "http://elsewhere", token: "2", step: "awaited" });
  await replaced.check({ ...replaced.inputs, intervalSecs: "x" });
  await expect(replaced.remove()).rejects.toThrow("validation: intervalSecs: expected a whole number");
  const createdAt = new Date(Date.now() + 60_000).toISOString();
  claims.claim({ ...claim, ...origin, token: "2", step: "unchanged", createdAt });
  await replaced.check({ ...replaced.inputs, slug: "other" });
  // The time that state records may be that of an earlier object.
  await replaced.remove();
  expect(await live(replaced.service, "Monitor", "made")).toBeDefined();
  expect(String(replaced.note.mock.lastCall)).toContain(
    'because the resource "two" declares it. If that resource\'s token',
  );
  claims.claim({ ...claim, ...origin, token: "2", step: "done", createdAt });
  await replaced.remove();
  expect(await live(replaced.service, "Monitor", "made")).toBeUndefined();
  // With times in seconds, an object elsewhere that seems to be the same is another one.
  const coarse = await withImported();
  const seconds = String(received(coarse.outputs).properties.createdAt).replace(/\.\d+/, "");
  coarse.outputs?.getFieldsMap().get("createdAt")?.setStringValue(seconds);
  coarse.run.claims.claim({
    ...claim,
    createdAt: seconds,
    serviceUrl: "http://elsewhere",
    token: "2",
    step: "unchanged",
  });
  await coarse.check({ ...coarse.inputs, slug: "other" });
  await coarse.remove();
  expect(await live(coarse.service, "Monitor", "made")).toBeUndefined();
  // "--replace" of both, each at its own service.
  const both = await withImported();
  const elsewhere = { ...claim, recordedKey: undefined, serviceUrl: "http://elsewhere", token: "2" };
  both.run.claims.claim({ ...elsewhere, step: "awaited" });
  await expect(both.remove()).rejects.toThrow("was not created, so this may be its object");
  await both.check(both.inputs);
  await both.remove();
  expect(await live(both.service, "Monitor", "made")).toBeUndefined();
});

test("what an earlier update left to delete is deleted though its resource is rejected now, unless it is that resource's", async () => {
  const moved = await withImported();
  const other = { ...moved.inputs, slug: "other" };
  await moved.check({ ...other, intervalSecs: "x" }, other);
  await moved.remove();
  expect(await live(moved.service, "Monitor", "made")).toBeUndefined();
  // Without arguments there are no old inputs to tell a recorded object from a new one: the comparison does.
  const { service, run, resources, outputs, check, remove } = await withImported(
    {},
    "LogAllocationConfig",
    "log-allocation-config",
    { datasetAllocations: [] },
  );
  await check({});
  const diff = new proto.DiffRequest().setUrn(urnOf("LogAllocationConfig")).setId("log-allocation-config");
  await resources.diff(diff.setOlds(outputs).setNews(sent({})));
  expect(run.claims.latestOf(urnOf("LogAllocationConfig"))?.recordedKey).toBe(
    "LogAllocationConfig/log-allocation-config",
  );
  await remove();
  expect(await live(service, "LogAllocationConfig", "log-allocation-config")).toBeDefined();
});

test("what a class's check rejects is a change, even if nothing else is: only a change is reported", async () => {
  const { settings, outputs, inputs } = await withImported();
  const claims = new Claims(join(ownFolder(), "operation"));
  const host = localHost(settings, claims);
  const __ctx = { dryRun: true, name: "made", instance: "1", resultsIn: claims.folder };
  const checked = await host.check("Monitor", inputs, { ...inputs, misspelled: 1, __ctx });
  expect(checked.failures).toEqual([]);
  const recorded = received(outputs).properties;
  expect((await host.diff("Monitor", "made", recorded, checked.inputs)).changes).toBe("some");
  const results = new Results(claims.folder);
  results.read();
  expect(results.failuresOf("1")).toHaveLength(1);
});

test("the first check of a class names a wrong setting, even if nothing changes", async () => {
  const { settings, inputs } = await withImported();
  const claims = new Claims(join(ownFolder(), "operation"));
  const __ctx = { dryRun: true, name: "made", instance: "1", resultsIn: claims.folder };
  const checked = await localHost({ ...settings, validate: "sometimes" }, claims).check("Monitor", inputs, {
    ...inputs,
    __ctx,
  });
  expect(checked.failures).toEqual([
    expect.stringMatching(/^unable to check baseUrl and apiToken: .*validate must be/),
  ]);
});

test("of two resources that declare one object, the second one writes nothing after the first one was created", async () => {
  const { resources, inputs, check } = await withImported();
  const second = `${urn}-too`;
  const create = (at: string) => resources.create(new proto.CreateRequest().setUrn(at).setProperties(sent(inputs)));
  await check({ ...inputs, adopt: true });
  await check({ ...inputs, adopt: true }, {}, second);
  await create(urn);
  await expect(create(second)).rejects.toThrow('monitor "made" is declared by both "made" and "made-too"');
});

test("an update that always validates writes nothing that a dry run rejects, and adopt is no argument of a class", async () => {
  const { resources, outputs, inputs, check } = await withImported({ validate: "always" });
  expect(String(await check({ ...inputs, adopt: true, __ctx: { instance: urn } }))).toContain("adopt");
  await check({ ...inputs, adopt: unknown });
  const unknownAdopt = resources.create(new proto.CreateRequest().setUrn(urn));
  await expect(unknownAdopt).rejects.toThrow("not an output that is known only after the update");
  const mistaken = { ...inputs, intervalSecs: -1 };
  await check(mistaken, inputs);
  const update = new proto.UpdateRequest().setUrn(urn).setId("made").setOlds(outputs).setNews(sent(mistaken));
  // The words of a dry run: those of a write begin with "unable to update".
  await expect(resources.update(update)).rejects.toThrow(/^intervalSecs: expected 0 or more seconds/);
});

test("a provider that ends has something left to send if it notes a fact then, and its failures fit into one answer", async () => {
  const { run } = await withImported();
  run.noteShared("a fact", "an object");
  expect(await run.interrupt()).toBe(true);
  const failures = Array.from({ length: 30 }, () => "ß".repeat(3_000));
  expect(encodeURIComponent(failuresText(failures)).length).toBeLessThan(64_000);
});

test("a call waits ten seconds for an engine that does not answer to a message, and then prints it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const silent = createServer();
  onTestFinished(() => {
    vi.useRealTimers();
    printed.mockRestore();
    silent.close();
  });
  const engine = new PluginProcess();
  engine.address = `127.0.0.1:${await portOf(silent)}`;
  const call = engine.during(urn, async () => engine.note("a note"));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(printed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  await call;
  expect(printed.mock.calls).toEqual([["a note"]]);
});

test("what a preview has left to reject waits for no process that was killed in a call", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const folder = `${Claims.of(process.argv.at(-1) ?? "").folder}-calls`;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, `${pid}-1`), `${pid} begins\n`);
  await activity.quiet();
});
