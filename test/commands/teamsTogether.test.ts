import { runTeams, type TeamEvent, type TeamsOptions } from "pulumi-observability/teams";
import { expect, onTestFinished, vi } from "vitest";
import { Display } from "../../dist/cli/commands/teams/display.js";
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
    // Here, because vitest ends nothing of a file whose tests are all skipped.
    const service = await ownService();
    const { folder, env, add, secretsProvider } = await newTeams(service.url);
    const tokens = { ...add("leaves", both("", "retainOnDelete: true")), ...add("takes", both('adopt: "identical"')) };
    // The run's processes have our environment, as in a program of a user's.
    for (const [name, value] of Object.entries({ ...env, ...tokens })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    let text = "";
    const lines = new Display({ write: (line) => (text += line) }, false);
    const run = (options: Partial<TeamsOptions>) => {
      text = "";
      return runTeams({ folder, secretsProvider, onEvent: (event: TeamEvent) => lines.see(event), ...options });
    };

    for (const team of ["leaves", "takes"]) {
      const { teams } = await run({ teams: [team] });
      expect(teams[0]?.status, text).toBe("done");
    }
    add("leaves", "");
    const { teams } = await run({ operation: "preview" });
    const warning =
      'deletes Monitor "shared", which the team takes declares. Move it with "pulumi state move", or set retainOnDelete first; ' +
      'see "docs/organize.md#move-a-resource-from-one-stack-to-another"';
    expect(teams.map(({ name, counts, warnings }) => [name, counts?.same, counts?.delete, warnings])).toEqual([
      ["leaves", 0, 2, [warning]],
      ["takes", 2, 0, undefined],
    ]);
    expect(text).toContain(`leaves  preview  warning: ${warning}\n`);
  },
);
