import fs, { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { main, runCommand } from "../support/command.js";
import { ownProxy, silent, until } from "../support/faults.js";
import { usualOrDeep } from "../support/figures.js";
import { filesBelow, ownFolder, writeFiles } from "../support/folders.js";
import { processesIn } from "../support/leftOvers.js";
import { newProject } from "../support/project.js";
import { start } from "../support/run.js";
import { ownService, put, token } from "../support/service.js";

const service = await ownService();
for (const [i, team] of ["checkout", "search", "checkout"].entries())
  await put(service, "Monitor", `errors-${i}`, { labels: { team } });
const env = { OBSERVABILITY_BASE_URL: service.url };

const alert = (name: string) => `{ alert: ${name}, expr: "${name} > 5", labels: { severity: page, team: ${name} } }`;
const rules = (...names: readonly string[]) => `groups: [{ name: g, rules: [${names.map(alert).join(", ")}] }]`;
const receiver = (name: string) => `receivers: [{ name: ${name}, pagerduty_configs: [{ routing_key: k }] }]`;

/**
 * Kills a command at the n-th change of its folder: of a text a half is written, and nothing more happens.
 * @returns whether it was killed
 */
async function killAt(n: number, run: () => Promise<unknown>): Promise<boolean> {
  let changes = 0;
  const spies = (["writeFileSync", "renameSync", "rmSync", "mkdirSync"] as const).map((name) => {
    const change = fs[name] as (...args: unknown[]) => unknown; // Each takes a path first.
    return vi.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      if (!String(args[0]).startsWith("out")) return change(...args);
      changes += 1;
      if (changes === n && name === "writeFileSync") change(args[0], String(args[1]).slice(0, 99));
      if (changes >= n) throw new Error("killed");
      return change(...args);
    }) as never);
  });
  try {
    await run();
    return changes >= n;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const convert = ["convert", "a.yml", "--out", "out", "--json"];
const importAll = ["import", "--out", "out", "--json"];
const only = ["--slug", "errors-0"];

test.each<[string, readonly string[], readonly string[] | undefined]>([
  ["convert", convert, undefined],
  ["convert that adds to a program", convert, ["convert", "first.yml", "--out", "out"]],
  ["import that adds to a program", importAll, [...importAll, ...only]],
  ["import --teams", [...importAll, "--teams"], undefined],
  ["import --teams that adds to teams", [...importAll, "--teams"], [...importAll, "--teams", ...only]],
])(
  "%s that is killed at any write, and again, does the same in the end as one that is not",
  async (_, args, earlier) => {
    const start = ownFolder({
      "first.yml": rules("first"),
      "a.yml": `${rules("a", "b")}\n---\n${receiver("pager")}`,
    });
    if (earlier !== undefined) expect(await runCommand(start, earlier, env)).toMatchObject({ code: 0 });
    const copy = () => ownFolder(filesBelow(start));
    const whole = copy();
    const expected = await runCommand(whole, args, env);
    expect(expected.code, expected.text).toBe(0);
    const files = filesBelow(whole);
    // Deep runs kill it at each write, others at every third one.
    for (let n = 1, wasKilled = true; wasKilled; n += usualOrDeep(3, 1)) {
      const folder = copy();
      const run = () => runCommand(folder, args, env);
      wasKilled = await killAt(n, run);
      if (!wasKilled) expect(n).toBeGreaterThan(10);
      else await killAt(n, run);
      if (wasKilled) expect(await run(), `killed at write ${n}`).toEqual(expected);
      expect(filesBelow(folder), `killed at write ${n}`).toEqual(files);
    }
  },
);

test("a command fails while another one writes to its folder, and works once that one was killed", async () => {
  const proxy = await ownProxy(service.url);
  proxy.use(() => silent);
  const folder = ownFolder({ "a.yml": rules("a"), "real/out/x": "" });
  symlinkSync("real", join(folder, "link"));
  const away = { ...process.env, OBSERVABILITY_BASE_URL: proxy.url, OBSERVABILITY_API_TOKEN: token };
  const first = start(process.execPath, [main, "import", "--out", "link/out"], { cwd: folder, env: away });
  await until(() => proxy.arrivals().length > 0, "the import");
  const run = () => runCommand(folder, ["convert", "a.yml", "--out", "real/out"]);
  const words = `error: process ${first.child.pid} writes to "real/out", too. Wait for its end, and run this command again.\n`;
  expect(await run()).toMatchObject({ code: 1, stderr: words });
  first.child.kill("SIGKILL");
  await first.ended;
  expect(await run()).toMatchObject({ code: 0 });
});

test("what was edited since a run that was interrupted stays, and is an error that says what to do", async () => {
  const folder = ownFolder({ "a.yml": rules("a") });
  const run = () => runCommand(folder, convert);
  await run();
  const files = filesBelow(folder);
  rmSync(join(folder, "out"), { recursive: true });
  // The writes of the last file.
  await killAt(20, run);
  const file = join(folder, "out/monitors.ts");
  writeFileSync(file, `${readFileSync(file, "utf8")}// mine\n`);
  const words = '"out/monitors.ts" has changed since a run that was interrupted. Move it out of the folder, and run';
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  expect(readFileSync(file, "utf8")).toContain("// mine");
  rmSync(file);
  expect(await run()).toMatchObject({ code: 0 });
  expect(filesBelow(folder)).toEqual(files);
});

test("a program whose notes were lost is recognized, and nothing in it is declared a second time", async () => {
  const folder = ownFolder({ "a.yml": `${rules("a", "b")}\n---\n${receiver("pager")}` });
  const notes = join(folder, "out/pulumi-observability.json");
  for (const args of [convert, importAll]) {
    const run = async () =>
      JSON.parse((await runCommand(folder, args, env)).stdout) as Readonly<Record<string, unknown>>;
    await run();
    const files = filesBelow(folder);
    rmSync(notes);
    rmSync(join(folder, "out/index.ts"));
    expect(await run()).toMatchObject({
      files: [],
      missingLines: expect.arrayContaining([{ file: "index.ts", text: 'import "./monitors";' }]),
    });
    writeFiles(folder, { "out/index.ts": files["out/index.ts"] ?? "" });
    expect(await run()).toMatchObject({ files: [], missingLines: [] });
    rmSync(join(folder, "out"), { recursive: true });
  }
});

test("resources that a person has declared with the same names are reported, and the others are written", async () => {
  const folder = ownFolder({
    "a.yml": rules("a", "c"),
    "out/other/Pulumi.yaml": "name: other",
    "out/other/index.ts": 'new obs.Monitor("c", {});',
    "out/index.ts": `
const mine = new obs.Monitor("a", { labelQuery: "mine" });
export const own = () => [new obs.Monitor("other", { slug: "errors-0", labelQuery: "mine" })];
`,
  });
  const converted = await runCommand(folder, convert);
  expect(converted.code).toBe(4);
  expect(JSON.parse(converted.stdout).converted).toMatchObject([
    { name: "c", state: "added" },
    { name: "a", state: "changed" },
  ]);
  expect(converted.stderr).toContain(
    'In the program with other arguments, so they are not written:\n  a.yml:1: Monitor "a" in index.ts\n',
  );
  const imported = await runCommand(folder, importAll, env);
  expect(imported.stderr).toContain(
    'not written again, because code that no earlier run recorded already declares them: monitor "errors-0" in index.ts\n',
  );
  expect(JSON.parse(imported.stdout)).toMatchObject({ counts: { Monitor: 2 } });
});

test("a review that gets a signal ends its previews, starts no other one, and ends by the signal", async () => {
  const program = 'require("fs").appendFileSync("started", "."); setInterval(() => 0, 1000);';
  const { at, env: own, folders, init } = newProject(service.url, program);
  const stacks = ["a", "b", "c"];
  for (const stack of stacks) await init(stack);
  const args = ["review", "--parallel", "2", ...stacks.flatMap((stack) => ["--stack", stack])];
  const { child, ended } = start(process.execPath, [main, ...args], { cwd: folders.project, env: own });
  const started = () => (existsSync(at("started")) ? readFileSync(at("started"), "utf8") : "");
  await until(() => started() === "..", "two programs");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: null, text: "" });
  expect([child.signalCode, started(), processesIn(folders.home)]).toEqual(["SIGTERM", "..", []]);
});
