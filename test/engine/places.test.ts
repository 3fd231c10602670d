import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isDeep } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";

const program = `

new obs.Dataset("logs", { configuration: { type: "LOGS", logDataset: {} } });
const declare = (name) =>
  new obs.Dataset(name, { configuration: { type: "LOGS", logDataset: {} } });
declare("more-logs");
`;

const typescript = [
  "index.ts",
  "typescript",
  `import * as obs from "pulumi-observability";${program.replace("(name)", "(name: string)")}`,
] as const;
// Without a source map less can go wrong.
const javascript = ["index.js", "javascript", `const obs = require("pulumi-observability");${program}`] as const;

test.each(isDeep ? [typescript, javascript] : [typescript])(
  "state says where the program declares each resource: %s",
  async (main, language, text) => {
    const service = await ownService();
    const project = newProject(service.url, text, { TEST_PROGRAMS: language });
    const { folders } = project;
    writeFileSync(join(folders.project, main), text);
    writeFileSync(join(folders.project, "package.json"), JSON.stringify({ name: "project", private: true, main }));
    await project.init();
    const { code, text: told } = await project.run(["up", "--yes", "--skip-preview"]);
    expect(code, told).toBe(0);
    const places = project
      .state()
      .resources.flatMap(({ id, sourcePosition }) => (id?.endsWith("logs") ? [sourcePosition] : []));
    expect(places.sort()).toEqual([`project:///${main}#3,1`, `project:///${main}#5,3`]);
  },
);
