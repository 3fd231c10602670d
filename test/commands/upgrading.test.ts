import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minimumVersion, ownVersion } from "../../tools/pulumi.mjs";
import { readManifest, root } from "../install/manifest.js";
import { tested } from "../install/versions.js";
import { deepTest } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { live, ownService } from "../support/service.js";
import { followIn, textsUnder } from "./pages.js";

const page = "docs/upgrading.md";

deepTest("the state is exported before an upgrade, and imported to roll back", async () => {
  const service = await ownService();
  const monitor = (threshold: number) => `new (require("pulumi-observability").Monitor)("errors", {
    labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: ${threshold} }] } } },
  });`;
  const project = newProject(service.url, monitor(1));
  await project.create();
  const [before = "", update = ""] = textsUnder(page, "Upgrade", 2);
  const [back = ""] = textsUnder(page, "Roll back", 1);
  await followIn(project, before);
  project.write(monitor(2));
  await followIn(project, update.replace("pulumi up", "pulumi up --yes"));
  project.write(monitor(1));
  expect(await followIn(project, back)).toContain("~ 1 to update");
  expect(JSON.stringify(await live(service, "Monitor", "errors"))).toContain('"value":2');
});

test("the page lists the versions that are tested together", async () => {
  const rows = tested.map(({ node = "20", sdk, cli, isRegular = false }) => {
    const when = isRegular ? "in every run of the tests" : "in the long test run, not in every run";
    return `| ${node.split(".")[0]} | ${sdk.replace("latest", "the newest")} | ${cli} | ${when} |\n`;
  });
  const text = readFileSync(join(root, page), "utf8");
  const wanted = text.replace(/(?<=^\| Node\.js \|.*\n\|[-|]+\n)(?:\|.*\n)*/m, rows.join(""));
  await expect(wanted).toMatchFileSnapshot(join(root, page));
});

test("the page names the versions that the package requires and the tests run", () => {
  const text = readFileSync(join(root, page), "utf8");
  const { engines, peerDependencies = {}, devDependencies } = readManifest(root);
  const required = [engines.node, peerDependencies["@pulumi/pulumi"]].join(" ").match(/\d+\.\d+/g) ?? [];
  expect(required.length).toBe(2);
  const tested = [devDependencies["@pulumi/pulumi"], minimumVersion, ownVersion];
  expect([...required, ...tested].filter((version) => !text.includes(String(version)))).toEqual([]);
});
