import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../support/command.js";
import { steps } from "../support/digests.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { shell } from "../support/run.js";
import { ownService, put, token } from "../support/service.js";
import { newTeams } from "../support/teams.js";

const service = await ownService();
await put(service, "Monitor", "errors");
const above = (value: number) => ({
  slug: "errors",
  labelQuery: "up",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value }] } } },
});
const folder = ownFolder({
  "preview.json": JSON.stringify({ steps: steps("Monitor", "errors", { before: above(5), after: above(1) }) }),
  "program/Pulumi.yaml": "name: program\nruntime: nodejs\n",
  "errors.yml": 'start: 2026-11-01T00:00:00Z\ninterval: 1m\nseries: [{ labels: {}, values: "0x1500" }]',
  "rules.yml": 'groups: [{ name: g, rules: [{ alert: A, expr: "a > 5", labels: { severity: page } }] }]',
});
symlinkSync("preview.json", join(folder, "link.json"));
const env = { ...process.env, NO_COLOR: "1", OBSERVABILITY_BASE_URL: service.url, OBSERVABILITY_API_TOKEN: token };
const command = (line: string, more: NodeJS.ProcessEnv = {}, cwd = folder, limit = "") =>
  shell(`${limit} "${process.execPath}" "${main}" ${line}`, { cwd, env: { ...env, ...more } });
const failure = "error: can't write to standard output (ENOSPC)\n";

// Linux has a device that is always full.
const onLinux = test.skipIf(!existsSync("/dev/full"));

onLinux.each([
  ["--help", 1, undefined],
  ["review --from preview.json --fail-on alerts-more", 3, undefined],
  ["review --from preview.json --json", 1, undefined],
  ["report --from preview.json --out report.html", 1, "report.html"],
  ["export --prometheus --from preview.json --out rules", 1, "rules/monitors.rules.yml"],
  ["backtest --from preview.json --series errors.yml --days 1 --markdown comment.md", 1, "comment.md"],
  ["convert rules.yml --out converted", 1, "converted/pulumi-observability.json"],
  ["import --out imported", 1, "imported/pulumi-observability.json"],
  ["doctor", 1, undefined],
])("%s does its work if standard output is full, and exits with status %i", async (line, code, file) => {
  const ended = await command(`${line} > /dev/full`);
  expect(ended).toMatchObject({ code, stdout: "" });
  expect(ended.stderr.split(failure)).toHaveLength(2);
  expect(ended.stderr).not.toContain("    at ");
  if (file !== undefined) expect(readFileSync(join(folder, file), "utf8")).toMatch(/\S\n$/);
});

onLinux("teams up whose output is full records all that it creates", async () => {
  const { home, env: own, add, inState, secretsProvider } = await newTeams(service.url);
  const tokens = add("checkout", 'new obs.Notifier("pager", { discard: true });');
  const line = `teams up --secrets-provider ${secretsProvider} > /dev/full`;
  expect(await command(line, { ...own, ...tokens }, home)).toMatchObject({ code: 1, stderr: failure });
  expect(inState("checkout")).toEqual(["pager"]);
});

onLinux("a warning that can't be written fails a command, which prints its result", async () => {
  // Its lines for people are on standard error.
  const ended = await command("convert rules.yml --out warned --json 2> /dev/full");
  expect(ended).toMatchObject({ code: 1, stderr: "" });
  expect(JSON.parse(ended.stdout)).toMatchObject({ converted: [{ name: "a", state: "added" }] });
});

// A shell's limit for the size of files is in blocks of 512 bytes.
test("a file that can't be written completely stays as it was, and is named", async () => {
  writeFiles(folder, { "page.html": "earlier", ".page.html.draft": "of somebody else" });
  symlinkSync("page.html", join(folder, "link.html"));
  const line = "report --from preview.json --out link.html";
  const stderr = 'error: can\'t write "link.html" (EFBIG)\n';
  expect(await command(line, {}, folder, "ulimit -f 1;")).toMatchObject({ code: 1, stderr });
  expect(readFileSync(join(folder, "page.html"), "utf8")).toBe("earlier");
  expect(await command(line)).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "page.html"), "utf8")).toContain("</html>");
  expect(readdirSync(folder).filter((name) => name.includes("draft"))).toEqual([".page.html.draft"]);
});

test("a result of which the disk takes only a part fails the command", async () => {
  const ended = await command("review --from preview.json --json > result.json", {}, folder, "ulimit -f 1;");
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("(EFBIG)") });
  expect(readFileSync(join(folder, "result.json"))).toHaveLength(512);
});

// With so few open files, Node.js starts, and no other process does.
test("a process that can't be started is an error with the reason", async () => {
  const ended = await command("review program --stack dev", {}, folder, "ulimit -n 22;");
  expect(ended).toMatchObject({ code: 1, stderr: "" });
  expect(ended.stdout).toContain('  error  can\'t run "pulumi" in "program": spawn pulumi EMFILE\n');
});

test.each(["review", "import --out out", "teams preview"])("%s in a deleted folder says so", async (line) => {
  const stderr = "error: the current folder no longer exists. Change to another folder\n";
  const ended = await command(line, {}, folder, "mkdir gone; cd gone; rmdir ../gone;");
  expect(ended).toMatchObject({ code: 1, stdout: "", stderr });
});

test.each([
  ["review --from preview.json --markdown out.md --report ./out.md", "--markdown and --report"],
  ["review --from a.json preview.json --markdown link.json", "--from and --markdown"],
  ["backtest --from preview.json --series errors.yml --markdown errors.yml", "--series and --markdown"],
  ["report --from preview.json --out preview.json", "--from and --out"],
])("%s would overwrite a file that it needs, which is wrong usage", async (line, options) => {
  expect(await command(line)).toMatchObject({ code: 2, stderr: `error: ${options} name the same file\n` });
});
