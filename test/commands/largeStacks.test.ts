import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import { beforeEach, expect } from "vitest";
import { deepTest } from "../support/figures.js";
import { writeFiles } from "../support/folders.js";
import { monitorSlugs } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownService, put } from "../support/service.js";
import { filesUnder, followIn, textsUnder } from "./pages.js";

const page = "docs/large-stacks.md";

let service: Service;
beforeEach(async () => {
  service = await ownService();
});

/** A program with monitors of these names. */
const declaring = (...names: readonly string[]) => `
  const obs = require("pulumi-observability");
  for (const name of ${JSON.stringify(names)}) new obs.Monitor(name, {
    labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
  });`;

// firstLoad.test.ts kills such a load before it ends.
deepTest("a first load without checkpoints is repeated after its record is lost, and destroyed", async () => {
  const [load = "", again = "", destroy = ""] = textsUnder(page, "Create or delete thousands of resources", 3);
  const project = newProject(service.url, declaring("a", "b", "c"));
  const { backend } = project.folders;
  await project.init();
  const kept = project.file("kept");
  cpSync(backend, kept, { recursive: true });
  await followIn(project, load);
  expect(await monitorSlugs(service)).toEqual(["a", "b", "c"]);
  // A crash leaves the state as it was at the beginning.
  rmSync(backend, { recursive: true });
  cpSync(kept, backend, { recursive: true });
  expect(await followIn(project, again)).toContain('adopts the existing monitor "a" without changes');
  expect(project.state().resources.filter(({ type }) => type.endsWith("Monitor"))).toHaveLength(3);
  await followIn(project, destroy);
  expect(await monitorSlugs(service)).toEqual([]);
});

deepTest("every preview shows an edit made elsewhere, if the project sets refresh: always", async () => {
  const files = filesUnder(page, "See edits made elsewhere in every preview");
  const project = newProject(service.url, declaring("errors"));
  writeFiles(project.folders.project, files);
  await project.create();
  await put(service, "Monitor", "errors", { labelQuery: "edited" });
  const printed = await followIn(project, "pulumi preview --diff");
  expect(printed).toMatch(/~ labelQuery *: "edited" => "up"/);
});

deepTest("an update with cheaper checkpoints succeeds, and one without these settings reads its state", async () => {
  const [cheaper = ""] = textsUnder(page, "Make checkpoints cheaper", 1);
  const [parallel = ""] = textsUnder(page, "Run more operations at once", 1);
  const project = newProject(service.url, declaring("a", "b"));
  await project.init();
  await followIn(project, cheaper);
  const stack = join(project.folders.backend, ".pulumi/stacks/project/dev.json");
  expect(statSync(`${stack}.zst`).isFile()).toBe(true);
  expect(await followIn(project, parallel)).toContain("3 unchanged");
  expect(statSync(stack).isFile()).toBe(true);
});
