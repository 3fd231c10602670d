import type { Service } from "@pulumi-observability/service";
import { expect, test } from "vitest";
import { caseOf, idOf, type KindCase, pathOf, titleOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { endOf, killEngine, killOnlyEngine, newProject } from "../support/project.js";
import { ask, ownService, put } from "../support/service.js";

const isWrite = ({ method, dryRun }: faults.Arrival) => method !== "GET" && !dryRun;
const up = ["up", "--yes", "--skip-preview"];
const adopting = { env: { OBSERVABILITY_ADOPT: "identical" } };

/** A project behind a proxy, with a program that declares what it is told. */
async function projectOf(declarations: string) {
  const service = await ownService();
  await put(service, "Dataset", "checkout-logs");
  const proxy = await faults.ownProxy(service.url);
  const project = newProject(proxy.url, `const obs = require("pulumi-observability");\n${declarations}`);
  expect((await project.init()).code).toBe(0);
  const succeed = async (args: readonly string[], options = {}) => {
    const { code, text } = await project.run(args, options);
    expect(code, text).toBe(0);
  };
  const recorded = () =>
    project
      .state()
      .resources.flatMap(({ id, type }) => (type.includes("observability:") ? [id] : []))
      .sort();
  return { service, proxy, project, succeed, recorded };
}

const declared = ({ kind, args }: KindCase) => `new obs.${kind.name}("a-${kind.name}", ${JSON.stringify(args)});`;

/** The ids of all objects of these kinds. */
async function standing(service: Service, kinds: readonly KindCase[]): Promise<string[]> {
  const found = await Promise.all(
    kinds.map(async ({ kind }) => {
      const list = kind.family.list;
      const { status, body } = await ask(service, "GET", list ? `${list.path}?page.max_size=1000` : pathOf(kind, ""));
      if (kind.isSingleton) return status === 200 ? [kind.singletonId] : [];
      return (body[String(kind.wire.many)] as { slug: string }[]).map(({ slug }) => slug);
    }),
  );
  return found.flat().sort();
}

test("an engine that is killed between write and answer leaves nothing twice", { timeout: 90_000 }, async () => {
  // One kind for each way of creating: POST, PUT, and the POST of the singleton.
  const kinds = [caseOf("Notifier"), caseOf("Monitor"), caseOf("LogAllocationConfig")];
  const all = kinds.map((each) => idOf(each)).sort();
  const { service, proxy, project, succeed, recorded } = await projectOf(kinds.map(declared).join("\n"));

  // The service has done all three, and nobody has heard of it.
  proxy.use((arrival) => (isWrite(arrival) ? faults.held : undefined));
  const first = project.start(up);
  await faults.until(() => proxy.heldNow() === kinds.length || first.child.exitCode !== null, first.text(), 60_000);
  expect(proxy.heldNow(), first.text()).toBe(kinds.length);
  await killEngine(first.child);
  proxy.reset();
  proxy.release();
  expect(await standing(service, kinds)).toEqual(all);

  await succeed(["cancel", "--yes"]);
  const refused = await project.run([...up, "--continue-on-error"]);
  expect(refused.code).not.toBe(0);
  for (const each of kinds) {
    expect(refused.text).toContain(`${titleOf(each.kind, idOf(each))} already exists`);
  }
  expect(refused.text).toContain('set adopt: "identical"');
  expect(await standing(service, kinds)).toEqual(all);

  await succeed(up, adopting);
  expect(await standing(service, kinds)).toEqual(all);
  expect(recorded()).toEqual(all);
});

test("a provider whose engine is killed sends nothing more, and ends", async () => {
  const { proxy, project } = await projectOf(declared(caseOf("Monitor")));
  const writes = () => proxy.arrivals().filter(isWrite).length;
  proxy.use((arrival) => (isWrite(arrival) ? faults.failing(503) : undefined));
  const first = project.start(up);
  await faults.until(() => writes() > 0 || first.child.exitCode !== null, first.text(), 60_000);
  const providers = (await killOnlyEngine(first.child)).filter(({ line }) => line.includes("dynamic-provider"));
  expect(providers).not.toEqual([]);
  const before = proxy.arrivals().length;
  await endOf(providers);
  // One may have been on its way.
  expect(proxy.arrivals().length).toBeLessThanOrEqual(before + 1);
});
