import type { Service } from "@pulumi-observability/service";
import { expect, test } from "vitest";
import { caseOf, idOf, pathOf, titleOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { size } from "../support/figures.js";
import { endOf, killEngine, killOnlyEngine, newProject } from "../support/project.js";
import { ask, ownService, put } from "../support/service.js";

const kills = size(1);

/** One kind for each way of creating: POST, PUT, and the POST of the singleton. */
const paths = [caseOf("Notifier"), caseOf("Monitor"), caseOf("LogAllocationConfig")];
const program = [
  'const obs = require("pulumi-observability");',
  ...paths.map(({ kind, args }) => `new obs.${kind.name}("a-${kind.name}", ${JSON.stringify(args)});`),
].join("\n");

async function objects(service: Service): Promise<Record<string, number>> {
  const counts = await Promise.all(
    paths.map(async ({ kind }) => {
      const { status, body } = await ask(service, "GET", kind.family.list?.path ?? pathOf(kind, ""));
      const many = kind.wire.many === undefined ? (status === 200 ? [1] : []) : (body[kind.wire.many] as unknown[]);
      return [kind.name, many.length] as const;
    }),
  );
  return Object.fromEntries(counts);
}

test(
  `an engine that is killed between write and answer leaves nothing twice, ${kills} times for each way of creating`,
  { timeout: 90_000 * kills },
  async () => {
    for (let i = 0; i < kills; i++) {
      const service = await ownService();
      const proxy = await faults.ownProxy(service.url);
      await put(service, "Dataset", "checkout-logs");
      const project = newProject(proxy.url, program);
      expect((await project.init()).code).toBe(0);

      // The service has done all three, and nobody has heard of it.
      proxy.use(({ method, dryRun }) => (method !== "GET" && !dryRun ? faults.held : undefined));
      const up = project.start(["up", "--yes", "--skip-preview"]);
      await faults.until(() => proxy.heldNow() === paths.length || up.child.exitCode !== null, up.text(), 60_000);
      expect(proxy.heldNow(), up.text()).toBe(paths.length);
      await killEngine(up.child);
      proxy.reset();
      proxy.release();
      const one = Object.fromEntries(paths.map(({ kind }) => [kind.name, 1]));
      expect(await objects(service)).toEqual(one);

      const cancelled = await project.run(["cancel", "--yes"]);
      expect(cancelled.code, cancelled.text).toBe(0);
      const refused = await project.run(["up", "--yes", "--skip-preview", "--continue-on-error"]);
      expect(refused.code).not.toBe(0);
      for (const each of paths) {
        expect(refused.text).toContain(`unable to create ${titleOf(each.kind, idOf(each))}: already exists`);
      }
      expect(refused.text).toContain('set adopt: "identical"');
      expect(await objects(service)).toEqual(one);

      const adopted = await project.run(["up", "--yes", "--skip-preview"], {
        env: { OBSERVABILITY_ADOPT: "identical" },
      });
      expect(adopted.code, adopted.text).toBe(0);
      expect(await objects(service)).toEqual(one);
      const ids = project.state().resources.flatMap(({ id, type }) => (type.includes("observability:") ? [id] : []));
      expect(ids.sort()).toEqual(paths.map((each) => idOf(each)).sort());
    }
  },
);

test("a provider whose engine is killed sends nothing more, and ends", async () => {
  const service = await ownService();
  const proxy = await faults.ownProxy(service.url);
  const { kind, args } = caseOf("Monitor");
  const declared = `new obs.${kind.name}("errors", ${JSON.stringify(args)});`;
  const project = newProject(proxy.url, `const obs = require("pulumi-observability");\n${declared}`);
  expect((await project.init()).code).toBe(0);
  const isWrite = ({ method, dryRun }: faults.Arrival) => method === "PUT" && !dryRun;
  const writes = () => proxy.arrivals().filter(isWrite).length;
  proxy.use((arrival) => (isWrite(arrival) ? faults.failing(503) : undefined));
  const up = project.start(["up", "--yes", "--skip-preview"]);
  await faults.until(() => writes() > 0 || up.child.exitCode !== null, up.text(), 60_000);
  const providers = (await killOnlyEngine(up.child)).filter(({ line }) => line.includes("dynamic-provider"));
  expect(providers).not.toEqual([]);
  const before = proxy.arrivals().length;
  await endOf(providers);
  // One may have been on its way.
  expect(proxy.arrivals().length).toBeLessThanOrEqual(before + 1);
});
