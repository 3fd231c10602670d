import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { ProgramError, runProgram } from "pulumi-observability/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { ownFolder } from "../../support/folders.js";

const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };

test("a program's arguments are plain, with name and slug, and secrets in plain text", async () => {
  const program = await runProgram(
    () => {
      const threshold = new pulumi.Config("alerts").requireNumber("threshold");
      const pager = new obs.Notifier("Pager!", { webhook: { url: pulumi.secret("https://hook.example.com") } });
      pager.slug.apply((slug) => new obs.Monitor("late", { labels: { notifier: slug }, labelQuery: "up" }));
      const limits = { defaults: { critical: { conditions: [{ op: "GT", value: pulumi.output(threshold) }] } } };
      new obs.Monitor("errors", { labelQuery: "up", seriesConditions: limits });
      obs.Dataset.get("theirs", "theirs");
    },
    { config: { "alerts:threshold": "0.5" } },
  );
  expect(program.args(obs.Notifier, "Pager!")).toEqual({
    name: "Pager!",
    slug: "pager",
    webhook: { url: "https://hook.example.com" },
  });
  expect(program.args(obs.Monitor, "late").labels).toEqual({ notifier: "pager" });
  expect(program.args(obs.Monitor, "errors").seriesConditions).toEqual({
    defaults: { critical: { conditions: [{ op: "GT", value: 0.5 }] } },
  });
  expect(program.resources.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    "Monitor errors",
    "Monitor late",
    "Notifier Pager!",
  ]);
  expect(() => program.args(obs.Monitor, "error")).toThrow('no Monitor "error". It declares: "errors", "late"');
});

test("a program reads the config of the project in the current folder", async () => {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(ownFolder({ "Pulumi.yaml": "name: shop-alerts\n" }));
  onTestFinished(() => cwd.mockRestore());
  const load = () => {
    const team = new pulumi.Config().require("team");
    new obs.LogAllocationConfig("logs", { defaultDataset: { allocation: { percentOfLicense: team.length } } });
  };
  const program = await runProgram(load, { config: { "shop-alerts:team": "checkout" } });
  // Plain arguments have plain types.
  const percent: number | undefined = program.args(obs.LogAllocationConfig, "logs").defaultDataset?.allocation
    ?.percentOfLicense;
  expect(percent).toBe(8);
});

test("all problems that the provider would reject are reported at once", async () => {
  const run = runProgram(() => {
    new obs.Monitor("errors", { labelQuery: "up", seriesConditions: conditions });
    new obs.Monitor("Errors!", { labelQuery: 5, seriesConditons: conditions } as unknown as obs.MonitorArgs);
    new obs.Notifier("??", { discard: true });
    new obs.LogAllocationConfig("one", {});
    new obs.LogAllocationConfig("two", {});
  });
  await expect(run).rejects.toThrow(ProgramError);
  const { problems } = (await run.catch((error: unknown) => error as ProgramError)) as ProgramError;
  expect([...problems].sort()).toEqual([
    'LogAllocationConfig "two": "one" also declares the log allocation config, but a service has only one. Remove one of them',
    'Monitor "Errors!": "errors" also declares monitor "errors". Set another slug on one of them',
    'Monitor "Errors!": labelQuery: expected a string, got a number',
    'Monitor "Errors!": seriesConditons: unknown field. Did you mean "seriesConditions"?',
    'Notifier "??": slug: the resource\'s name "??" has no character that a slug can contain. Set slug',
  ]);
});

test("two providers may declare one slug each", async () => {
  const program = await runProgram(() => {
    for (const team of ["a", "b"]) {
      const provider = new obs.Provider(team, { apiToken: team });
      new obs.Notifier(`${team}-pager`, { slug: "pager", discard: true }, { provider });
    }
  });
  expect(program.resources).toHaveLength(2);
});

test("a value that is almost a known one is a warning, unless config or its provider declare it as known", async () => {
  const monitor = (slug: string, opts: obs.ResourceOptions = {}) =>
    new obs.Monitor(slug, { labelQuery: "up", intervalSecs: 60_000, seriesConditions: conditions }, opts);
  const { warnings } = await runProgram(
    () => {
      const schedule = { timezone: "UTC", weeklySchedule: { monday: { active: "ALLDAY" } } };
      new obs.Monitor("errors", { labelQuery: "up", schedule, seriesConditions: conditions });
      monitor("in-config");
      monitor("to-its-provider", { provider: new obs.Provider("own", { knownValues: ["60000"] }) });
      monitor("to-another", { provider: new obs.Provider("other", { knownValues: ["90000"] }) });
    },
    { config: { "observability:knownValues": '["60000"]' } },
  );
  expect([...warnings].sort()).toEqual([
    'Monitor "errors": schedule.weeklySchedule.monday.active: unknown value "ALLDAY". Did you mean "ALL_DAY"? ' +
      'Known values: ALL_DAY, ONLY_DURING_RANGES, NEVER. To allow "ALLDAY", add it to observability:knownValues',
    expect.stringContaining('Monitor "to-another": intervalSecs: 60000 seconds'),
  ]);
});

test("jest, which runs no import expression, can run a program", () => {
  const entry = createRequire(import.meta.url).resolve("pulumi-observability/testing");
  const code = readFileSync(entry.replace(/index\.js$/, "program.js"), "utf8").replace(/^\s*\*.*$/gm, "");
  expect(code).toContain("runProgram");
  expect(code).not.toMatch(/\bimport\(/);
});
