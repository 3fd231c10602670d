import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumiEnv } from "../../tools/pulumi.mjs";
import { keyService, secretsProvider } from "./keys.js";
import { quickStart } from "./quickStart.js";
import { ownFolder } from "./folders.js";
import { token } from "./service.js";

const root = join(import.meta.dirname, "../..");

/** A folder of teams of its own, and the environment in which a service and a backend of its own are found. */
export async function newTeams(baseUrl: string) {
  const home = ownFolder();
  const folder = join(home, "teams");
  const backend = join(home, "state");
  const temporary = join(home, "tmp");
  for (const each of [folder, temporary]) mkdirSync(each);
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"), "dir");
  return {
    home,
    folder,
    env: {
      ...pulumiEnv({ home: join(home, "pulumi"), backend }),
      ...(await keyService()),
      ...quickStart,
      // What a killed process leaves ends with the test file.
      TMPDIR: temporary,
      OBSERVABILITY_BASE_URL: baseUrl,
      OBSERVABILITY_API_TOKEN: "",
    },
    secretsProvider,
    /** Writes a team's file. @returns the environment variable for its token */
    add(name: string, body: string, members = ""): { [variable: string]: string } {
      const text = `import * as obs from "pulumi-observability";
import { defineTeam, secretFrom } from "pulumi-observability/teams";

export default defineTeam({
  ${members}
  async declare() {
    ${body}
  },
});
`;
      // In JavaScript, which starts sooner. The page of teams has one in TypeScript.
      writeFileSync(join(folder, `${name}.mjs`), text);
      return { [`OBSERVABILITY_API_TOKEN_${name.toUpperCase()}`]: token };
    },
    /** The names of the resources of ours in a stack's state. */
    inState(stack: string, project = "team-stacks"): string[] {
      const text = readFileSync(join(backend, `.pulumi/stacks/${project}/${stack}.json`), "utf8");
      const { resources = [] } = JSON.parse(text).checkpoint.latest ?? {};
      return (resources as { type: string; urn: string }[])
        .filter(({ type }) => type.includes("observability:"))
        .map(({ urn }) => urn.split("::").at(-1) ?? "")
        .sort();
    },
  };
}

/** Lines of a program that declares so many monitors. */
export const monitors = (count: number) => `
    for (let i = 0; i < ${count}; i++) {
      new obs.Monitor("m-" + i, { labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } } });
    }`;
