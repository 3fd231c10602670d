import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { runCommand } from "../support/command.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

const monitor = (name: string, slug: string, value: number) =>
  `new obs.Monitor(${JSON.stringify(name)}, {
  slug: ${JSON.stringify(slug)},
  labelQuery: "sum(rate(http_errors_total[5m]))",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: ${value} }] } } },
});`;
const program = (...monitors: readonly string[]) =>
  ['"use strict";', 'const obs = require("pulumi-observability");', ...monitors].join("\n");

test("a slug that somebody else has taken fails the preview, which still tells a raised threshold, and says that it is not all", async () => {
  const service = await ownService();
  const taken = {
    name: "made by hand",
    slug: "checkout-errors",
    label_query: "up == 0",
    series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } },
  };
  const body = { monitor: taken, create_if_missing: true };
  expect(await ask(service, "PUT", "/api/v1/config/monitors/checkout-errors", body)).toMatchObject({ status: 200 });
  const project = newProject(
    service.url,
    program(monitor("ledger", "ledger-errors", 0.05), monitor("payments", "payments-errors", 0.05)),
  );
  await project.init();
  expect(await project.run(["up", "--yes", "--skip-preview"])).toMatchObject({ code: 0 });

  project.write(program(monitor("payments", "payments-errors", 0.5), monitor("checkout", "checkout-errors", 0.01)));
  const ended = await runCommand(project.folders.project, ["review", "--stack", "dev", "--json"], project.env);
  expect(ended.code, ended.stderr).toBe(1);
  const { stacks, risks } = JSON.parse(ended.stdout) as Review;
  expect(stacks).toMatchObject([{ stack: "project/dev", isFailed: true }]);
  const said = risks.map((risk) => `${risk.name}: ${risk.class}, ${risk.direction}`);
  expect(said).toContain("payments: laxer, laxer");
  // The engine plans no deletes after a failure: whoever reads the text has to know that some may follow.
  expect(ended.stderr).toContain("checkout-errors");
  expect(ended.stderr.replace(/\s+/g, " ")).toMatch(/incomplete: .* what the update deletes, is not known/);
});
