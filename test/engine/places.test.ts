import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";

const text = `import * as obs from "pulumi-observability";

new obs.Dataset("logs", { configuration: { type: "LOGS", logDataset: {} } });
const declare = (name: string) =>
  new obs.Dataset(name, { configuration: { type: "LOGS", logDataset: {} } });
declare("more-logs");
`;

// A program in JavaScript has no source map, so less can go wrong.
test("state says where a TypeScript program declares each resource", async () => {
  const service = await ownService();
  const project = newProject(service.url, text, { TEST_PROGRAMS: "typescript" });
  const { folders } = project;
  writeFileSync(join(folders.project, "index.ts"), text);
  const manifest = { name: "project", private: true, main: "index.ts" };
  writeFileSync(join(folders.project, "package.json"), JSON.stringify(manifest));
  await project.create();
  const places = project
    .state()
    .resources.flatMap(({ id, sourcePosition }) => (id?.endsWith("logs") ? [sourcePosition] : []));
  expect(places.sort()).toEqual(["project:///index.ts#3,1", "project:///index.ts#5,3"]);
});
