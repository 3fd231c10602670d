import { join } from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, test, vi } from "vitest";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { failuresText } from "../../dist/provider/lifecycle/notes/explain.js";
import { startRun } from "../../dist/provider/lifecycle/run.js";
import type { Host } from "../../dist/provider/plugin/host.js";
import { Resources } from "../../dist/provider/plugin/resources.js";
import { received, sent } from "../../dist/provider/plugin/values.js";
import { ownFolder } from "../support/folders.js";
import { localHost } from "../support/host.js";
import { live, ownService, put, token } from "../support/service.js";

const urn = "urn:pulumi:dev::team::observability:index:Monitor::made";

/** A plugin in the tests' own process, with an object that it has imported. */
async function withImported(change: Readonly<Record<string, string>> = {}) {
  const service = await ownService();
  await put(service, "Monitor", "made");
  const settings: typeof change = { baseUrl: service.url, apiToken: token, ...change };
  const run = startRun((name) => settings[name], vi.fn(), new Claims(join(ownFolder(), "operation")));
  const resources = new Resources({ run, secretSettings: [] as const } as unknown as Host);
  const read = await resources.read(new proto.ReadRequest().setUrn(urn).setId("made"));
  const [outputs, { properties: inputs }] = [read.getProperties(), received(read.getInputs())];
  const check = async (news: object, olds: object = {}) => {
    const request = new proto.CheckRequest()
      .setUrn(urn)
      .setOlds(sent({ ...olds }))
      .setNews(sent({ ...news }));
    return (await resources.check(request)).getFailuresList().map((each) => each.getReason());
  };
  const remove = () => resources.delete(new proto.DeleteRequest().setUrn(urn).setId("made").setProperties(outputs));
  return { service, settings, run, resources, outputs, inputs, check, remove };
}

test("an imported object is deleted for --replace, unless the declaration has another kind or a wrong type", async () => {
  const wrong = await withImported();
  const diff = localHost(wrong.settings).diff("Notifier", "made", received(wrong.outputs).properties, wrong.inputs);
  await expect(diff).rejects.toThrow("a Monitor, which can't become a Notifier");
  expect(await wrong.check({ ...wrong.inputs, intervalSecs: "x" })).toEqual([]);
  await expect(wrong.remove()).rejects.toThrow("validation: intervalSecs: expected a whole number, got a string");
  await expect(wrong.resources.create(new proto.CreateRequest().setUrn(urn))).rejects.toThrow(/^intervalSecs: /);
  const { service, inputs, check, remove } = await withImported();
  await check(inputs);
  await remove();
  expect(await live(service, "Monitor", "made")).toBeUndefined();
});

test("an update that always validates writes nothing that a dry run rejects, and adopt is no argument of a class", async () => {
  const { resources, outputs, inputs, check } = await withImported({ validate: "always" });
  expect(String(await check({ ...inputs, adopt: true, __ctx: { instance: urn } }))).toContain("adopt");
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
