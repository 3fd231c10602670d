import { expect } from "vitest";
import { caseOf } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import { deepTest } from "../support/figures.js";
import { outputOf } from "../support/run.js";
import { ownService, put, token } from "../support/service.js";
import { newTeams } from "../support/teams.js";
import { tsc } from "./pages.js";

/** The secret that the example of a notifier has at this path. */
const valueAt = (path: string) =>
  path.split(".").reduce<any>((here, step) => here[step], caseOf("Notifier").args) as string;

deepTest("a service is imported as a repository of teams, and its first preview changes nothing", async () => {
  // With secrets shown, because an update must set a masked secret.
  const service = await ownService({ showSecrets: true });
  for (const team of ["checkout", "search"]) await put(service, "Monitor", `${team}-errors`, { labels: { team } });
  for (const kind of ["Notifier", "Dataset"]) await put(service, kind, "shared");
  const { home, env, secretsProvider } = await newTeams(service.url);
  const tokens: Record<string, string> = { OBSERVABILITY_API_TOKEN: token };
  const command = async (...args: string[]) => {
    const { code, stdout, text } = await runCommand(home, args, { ...env, ...tokens });
    expect(code, text).toBe(0);
    return stdout;
  };

  const imported = JSON.parse(await command("import", "--out", ".", "--teams", "--json"));
  const asked = [...imported.next.join("\n").matchAll(/^read -rs (\w+) && export \1/gm)].map(([, name = ""]) => name);
  const [ofTeams, ofSecrets] = [true, false].map((isOfTeam) =>
    asked.filter((name) => name.startsWith("OBSERVABILITY_API_TOKEN_") === isOfTeam),
  ) as [string[], string[]];
  expect([ofTeams.length, ofSecrets.length]).toEqual([3, imported.secrets.length]);
  for (const name of ofTeams) tokens[name] = token;
  for (const [i, name] of ofSecrets.entries()) tokens[name] = valueAt(imported.secrets[i].path);
  await outputOf(process.execPath, [tsc, "-p", "."], { cwd: home });

  await command("teams", "import", "--secrets-provider", secretsProvider);
  const { teams } = JSON.parse(await command("teams", "preview", "--expect-no-changes", "--json"));
  const counts = teams.map(({ name, counts }: any) => [name, counts.same]).sort();
  expect(counts).toEqual([
    ["checkout", 1],
    ["search", 1],
    ["shared", 2],
  ]);
  expect(await command("teams", "import", "--team", "checkout")).toContain("imported 0 of ");
});
