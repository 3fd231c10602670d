import { expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { endOf, killOnlyEngine, newProject } from "../support/project.js";
import { ownService } from "../support/service.js";

const isWrite = ({ method, dryRun }: faults.Arrival) => method !== "GET" && !dryRun;

// What a killed engine leaves at the service: test/commands/firstLoad.test.ts.
test("a provider whose engine is killed sends nothing more, and ends", async () => {
  const proxy = await faults.ownProxy((await ownService()).url);
  const declared = `new obs.Monitor("errors", ${JSON.stringify(caseOf("Monitor").args)});`;
  const project = newProject(proxy.url, `const obs = require("pulumi-observability");\n${declared}`);
  expect((await project.init()).code).toBe(0);
  const writes = () => proxy.arrivals().filter(isWrite).length;
  proxy.use((arrival) => (isWrite(arrival) ? faults.failing(503) : undefined));
  const first = project.start(["up", "--yes", "--skip-preview"]);
  await faults.until(() => writes() > 0 || first.child.exitCode !== null, first.text(), 60_000);
  const providers = (await killOnlyEngine(first.child)).filter(({ line }) => line.includes("dynamic-provider"));
  expect(providers).not.toEqual([]);
  const before = proxy.arrivals().length;
  await endOf(providers);
  // One may have been on its way.
  expect(proxy.arrivals().length).toBeLessThanOrEqual(before + 1);
});
