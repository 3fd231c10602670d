import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isDeep, reportFigure } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";
import { allFields, changedFields } from "./fields.js";
import { faults, type Failure, failuresOf, report } from "./judge.js";
import { declarations, needsOwnService, program, withNames } from "./program.js";
import { review } from "./reviewed.js";
import { trials as everyTrial } from "./trials/index.js";
import { datasetSlugs } from "./trials/logAllocation.js";
import type { Trial } from "./trials/trial.js";
import { unknown } from "../../dist/provider/values/unknown.js";

const all = withNames(everyTrial);
// Each has some seconds of an engine's time. The rules themselves are tested without one.
const trials = isDeep ? all : all.filter((_, i) => i % 5 === 0);
const isUpdate = ({ before, after }: Trial) => before !== undefined && after !== undefined;
const service = await ownService();
// The checkpoint of hundreds of resources is written once, and not with each of them.
const project = newProject(service.url, program, { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" });
const resources = join(project.folders.project, "resources.json");

const ended = { output: "" };
const failures: Failure[] = [];

/** The services of the log allocations, by the resources' names. */
async function ownServices(): Promise<ReadonlyMap<string, string>> {
  const made = trials.filter(needsOwnService).map(async ({ name }) => {
    const own = await ownService();
    for (const slug of datasetSlugs) {
      const dataset = { name: slug, slug, configuration: { type: "LOGS", log_dataset: {} } };
      expect(await ask(own, "POST", "/api/v1/config/datasets", { dataset })).toMatchObject({ status: 200 });
    }
    return [name, own.url] as const;
  });
  return new Map(await Promise.all(made));
}

beforeAll(async () => {
  const [urls, stack] = await Promise.all([ownServices(), project.init()]);
  expect(stack).toMatchObject({ code: 0 });
  for (const { byHand: monitor } of trials) {
    if (monitor === undefined) continue;
    const made = await ask(service, "PUT", `/api/v1/config/monitors/${String(monitor.slug)}`, {
      monitor,
      create_if_missing: true,
    });
    expect(made).toMatchObject({ status: 200 });
  }
  writeFileSync(resources, declarations(trials, "before", urls));
  const up = await project.run(["up", "--yes", "--skip-preview", "--continue-on-error", "--stack", "dev"]);
  expect(up.code, up.text.slice(up.text.indexOf("Diagnostics:"))).toBe(0);
  writeFileSync(resources, declarations(trials, "after", urls));
  const reviewed = await review(project, trials);
  Object.assign(ended, reviewed);
  failures.push(...trials.flatMap((trial) => failuresOf(trial, reviewed)));
  const counts = faults.map((fault) => `${fault}: ${failures.filter((each) => each.fault === fault).length}`);
  const meaningless = trials.filter(({ named }) => named.length === 0).length;
  reportFigure(`Trials of review: ${trials.length}, of which ${meaningless} mean nothing; ${counts.join(", ")}`);
}, 300_000);

describe("a review of the changes that people propose", () => {
  test.each(faults)("has no %s", (fault) => {
    const found = report(failures.filter((each) => each.fault === fault));
    expect(found, `\n${found}`).toBe("");
  });

  test("prints no secret", () => {
    const lines = ended.output.split("\n").filter((line) => line.includes("canary"));
    expect(lines.map((line) => line.trim().slice(0, 300))).toEqual([]);
    expect(ended.output.match(/\d*\.\d?\d?[1-9]7731\d*|7\.7317/g) ?? []).toEqual([]);
  });

  test("prints no placeholder of the engine", () => {
    const lines = ended.output.split("\n").filter((line) => line.includes(unknown));
    expect(lines.map((line) => line.trim().slice(0, 300))).toEqual([]);
  });
});

describe("the changes that people propose", () => {
  test("are many, and each has a title of its own", () => {
    expect(all.filter(({ named }) => named.length === 0).length).toBeGreaterThanOrEqual(60);
    expect(all.filter(({ named }) => named.length > 0).length).toBeGreaterThanOrEqual(130);
    const titles = all.map(({ kind, title }) => `${kind}: ${title}`);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  });

  test("change every field of every kind", () => {
    const changed = new Set(all.filter(isUpdate).flatMap(changedFields));
    expect(allFields.filter((field) => !changed.has(field))).toEqual([]);
  });
});
