import { expect } from "vitest";
import { runCommand } from "../support/command.js";
import { deepTest } from "../support/figures.js";
import { ownService } from "../support/service.js";
import { newTeams } from "../support/teams.js";

const monitor = (slug: string, options: string) =>
  `new obs.Monitor("${slug}", {
    slug: "${slug}", labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
  }, { ${options} });`;
const both = (shared: string, kept = shared) => monitor("shared", shared) + monitor("kept", kept);

deepTest(
  "a team that drops what another team declares is warned in a preview of both, though nothing changes for the other",
  async () => {
    const { home, env, add, secretsProvider } = await newTeams((await ownService()).url);
    const tokens = { ...add("leaves", both("", "retainOnDelete: true")), ...add("takes", both('adopt: "identical"')) };
    const run = async (...args: readonly string[]) => {
      const all = ["teams", ...args, "--secrets-provider", secretsProvider, "--json"];
      const { code, stdout, stderr } = await runCommand(home, all, { ...env, ...tokens });
      expect(code, stderr).toBe(0);
      return { teams: JSON.parse(stdout).teams as readonly any[], stderr };
    };
    for (const team of ["leaves", "takes"]) await run("up", "--team", team);
    add("leaves", "");
    const { teams, stderr } = await run("preview");
    const warning =
      'deletes Monitor "shared", which the team takes declares. Move it with "pulumi state move", or set retainOnDelete first; ' +
      'see "docs/organize.md#move-a-resource-from-one-stack-to-another"';
    expect(teams.map(({ name, counts, warnings }) => [name, counts?.same, counts?.delete, warnings])).toEqual([
      ["leaves", 0, 2, [warning]],
      ["takes", 2, 0, undefined],
    ]);
    expect(stderr).toContain(`leaves  preview  warning: ${warning}\n`);
  },
);
