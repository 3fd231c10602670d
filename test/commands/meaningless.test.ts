import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";
import { meaningless } from "../unit/review/meaningless.js";

/** A program that declares one side of each change. */
const program = (side: "before" | "after") => `
const obs = require("pulumi-observability");
const rows = ${JSON.stringify(meaningless.map(([, kind, before, after]) => ({ kind, before, after })))};
rows.forEach(({ kind, ${side}: args }, i) => new obs[kind]("row-" + i, args));
`;

test("of all changes that mean nothing, in one preview, none is a risk, and each is told to mean the same", async () => {
  const service = await ownService();
  const { command, create, write } = newProject(service.url, program("before"));
  await create();
  write(program("after"));
  const { code, stdout, stderr } = await command("review", "--stack", "dev", "--json");
  expect(code, stderr).toBe(0);
  const { risks, stacks } = JSON.parse(stdout) as Review;
  expect(risks).toEqual([]);
  const changes = stacks.flatMap((stack) => stack.changes);
  // The provider knows of the others itself, so that they are no change at all.
  expect(changes.length).toBeGreaterThan(40);
  for (const change of changes) {
    expect(change).toMatchObject({ op: "update", differences: ["means the same as before"] });
  }
});
