import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../install/manifest.js";
import { newProject } from "../support/project.js";
import { live, ownService, put, takeVerbs } from "../support/service.js";
import { textsUnder } from "./pages.js";

const page = "docs/languages.md";
test("a YAML program is previewed, updated, extended by an imported monitor and destroyed", async ({ skip }) => {
  skip(process.env.TEST_NO_YAML !== undefined, process.env.TEST_NO_YAML);
  const service = await ownService();
  const [install = "", program = "", commands = ""] = textsUnder(page, "A program in YAML", 3);
  expect(install + commands).toContain("npm install pulumi-observability\npulumi stack init dev\n");
  const project = newProject(service.url, "");
  const write = (text: string) =>
    writeFileSync(project.at("Pulumi.yaml"), text.replace("node_modules/.bin", join(root, "node_modules/.bin")));
  write(program);
  await project.init();
  takeVerbs(service);
  expect(await project.done("preview")).toMatch(/observability:index:Monitor +checkout-errors +create/);
  expect(takeVerbs(service)).toEqual({ GET: 2, "PUT dry": 1 });
  await project.done("up", "--yes", "--skip-preview");
  await put(service, "Monitor", "legacy-errors", { name: "Legacy" });
  const before = await live(service, "Monitor", "legacy-errors");
  const [line = ""] = textsUnder(page, "Import an existing object", 1);
  const printed = await project.done(...line.trim().split(" ").slice(1), "--yes");
  expect(await live(service, "Monitor", "legacy-errors"), "an import writes nothing").toEqual(before);
  const code = printed.slice(printed.indexOf("resources:\n") + "resources:\n".length);
  write(program + code);
  expect(await project.done("preview", "--expect-no-changes")).toContain("3 unchanged");
  await project.done("state", "unprotect", "--all", "--yes");
  await project.done("destroy", "--yes", "--skip-preview");
  expect(await live(service, "Monitor", "checkout-errors")).toBeUndefined();
});
