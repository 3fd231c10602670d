import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main, runCommand } from "../support/command.js";
import type { Ended } from "../support/run.js";
import { ownFolder, writeFiles } from "../support/folders.js";

interface Result {
  readonly files: readonly string[];
  readonly converted: readonly { readonly name: string; readonly state: string }[];
  readonly missing: readonly object[];
  readonly refused: readonly object[];
  readonly losses: readonly { readonly text: string }[];
  readonly secrets: readonly string[];
}

/** A folder with files, in which the command runs. */
function work(files: Readonly<Record<string, string>>) {
  const folder = ownFolder(files);
  const put = (name: string, text: string) => writeFiles(folder, { [name]: text });
  const command = (...args: string[]) => runCommand(folder, ["convert", ...args, "--out", "out"]);
  const convert = async (...args: string[]): Promise<Result & Pick<Ended, "code" | "stderr">> => {
    const { code, stdout, stderr } = await command(...args, "--json");
    return { ...(JSON.parse(stdout) as Result), code, stderr };
  };
  const read = (name: string) => readFileSync(join(folder, "out", name), "utf8");
  const change = (name: string, from: string, to: string) => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).toContain(from);
    put(name, text.replace(from, to));
  };
  return { folder, put, command, convert, read, change };
}

const alert = (name: string, expr: string, more = "") =>
  `  - { alert: ${name}, expr: "${expr}", labels: { severity: page${more} } }`;
const rules = (...alerts: readonly string[]) => `groups:\n- name: g\n  rules:\n${alerts.join("\n")}\n`;
const states = ({ converted }: Pick<Result, "converted">) =>
  converted.map(({ name, state }) => `${name} ${state}`).sort();

test.each([
  ["a.yml", "b.yml"],
  ["b.yml", "a.yml"],
])("a second source with the same names is added under other names: %s, then %s", async (first, second) => {
  const { convert, read } = work({
    "a.yml": rules(alert("Down", "up == 0")),
    "b.yml": rules(alert("Down", "up == 1")),
  });
  expect(states(await convert(first))).toEqual(["down added"]);
  const added = await convert(second);
  expect(states(added)).toEqual(["down-page added"]);
  expect(added.files).toContain("monitors-2.ts");
  expect(states(await convert(first, second))).toEqual(["down exists", "down-page exists"]);
  const text = read("monitors.ts") + read("monitors-2.ts");
  expect([...text.matchAll(/value: (\d)/g)].map(([, value]) => value).sort()).toEqual(["0", "1"]);
});

test("a second run writes what is new, lists the rest, and changes no line of the program", async () => {
  const { convert, read, change, command, put } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  change("out/monitors.ts", 'labelQuery: "b"', 'labelQuery: "mine"');
  const before = read("monitors.ts");
  put("a.yml", rules(alert("A", "a > 7"), alert("New", "n > 5")));
  const { stdout } = await command("a.yml");
  expect(stdout).toMatch(/^wrote 2 files to "out", which declare 1 Monitor\n/);
  expect(stdout).toMatch(/ {2}a\.yml:4: Monitor "a" in monitors\.ts\n$/);
  expect(read("monitors.ts")).toBe(before);
  const index = read("index.ts");
  expect(index.split("\n").filter((line) => line.includes("monitors"))).toHaveLength(2);
  expect(await convert("a.yml")).toMatchObject({ files: [], next: [] });
  expect([read("monitors.ts"), read("index.ts")]).toEqual([before, index]);
});

test("two receivers of one name in two files have secrets of their own", async () => {
  const receiver = (key: string) => `receivers: [ { name: r, pagerduty_configs: [ { routing_key: ${key} } ] } ]`;
  const { convert, read } = work({ "a.yml": receiver("one"), "b.yml": receiver("two") });
  const [first] = (await convert("a.yml")).secrets;
  const [second] = (await convert("b.yml")).secrets;
  expect(first).not.toBe(second);
  expect(read("notifiers-2.ts")).toContain(`config.requireSecret("${second}")`);
  expect(states(await convert("b.yml", "a.yml"))).toEqual(["r exists", "r-2 exists"]);
});

test("what was removed from the program is reported, and not listed as converted", async () => {
  const { convert, put, read } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  put("out/monitors.ts", read("monitors.ts").replace(/export const a = [^]*?\n\}\);\n/, ""));
  const { missing, ...rest } = await convert("a.yml");
  expect([states(rest), missing]).toEqual([["b exists"], [expect.objectContaining({ name: "a" })]]);
});

test("a rule that moves to another file stays what it is, also if it changes then", async () => {
  const { folder, convert, change } = work({ "rules/a.yml": rules(alert("A", "a > 5")) });
  await convert("rules");
  renameSync(join(folder, "rules/a.yml"), join(folder, "rules/z.yml"));
  expect(states(await convert("rules"))).toEqual(["a exists"]);
  change("rules/z.yml", "a > 5", "a > 7");
  expect(states(await convert("rules"))).toEqual(["a exists"]);
});

test("each file is read or told by its place, and none stops the others", async () => {
  const { folder, convert } = work({
    "rules/a.rules": rules(alert("A", "a > 5"), alert("Broken", "sum(")),
    "rules/b.YML": rules(alert("B", "b > 5")),
    "rules/empty.yml": "",
    "rules/more/am.yaml": "receivers: [{ name: x, msteams_configs: [{}] }]",
    "rules/..2026/c.yml": rules(alert("C", "c > 5")),
    "notes.txt": rules(alert("D", "d > 5")),
  });
  const link = (target: string, name: string) => symlinkSync(target, join(folder, "rules", name));
  link("..2026", "..data");
  link("..data/c.yml", "c.yml");
  link("c.yml", "again.yml");
  link("nowhere.yml", "dangling.yml");
  link("../notes.txt", "d.yml");
  link(".", "circle");
  writeFileSync(join(folder, "rules/latin.yml"), Buffer.from([0x23, 0xe9, 0x0a]));
  const found = await convert("rules");
  expect(found).toMatchObject({ code: 3, version: 1 });
  expect(states(found)).toEqual(["a added", "b added", "c added", "d added"]);
  expect(found.converted[0]).toEqual({ kind: "Monitor", name: "a", file: "rules/a.rules", line: 4, state: "added" });
  expect(found.refused).toMatchObject([
    { file: "rules/dangling.yml", reason: "the link leads nowhere" },
    { file: "rules/latin.yml", reason: "it is no text in UTF-8" },
    { file: "rules/a.rules", line: 5, name: "Broken", reason: expect.stringContaining("PromQL") },
    { file: "rules/more/am.yaml", line: 1, name: "x", reason: expect.stringContaining("msteams_configs") },
  ]);
  expect(found.losses.map(({ text }) => text)).toEqual(["the file is empty"]);
});

test.each([
  ["an empty file", "rules/a.yml", "nothing converted\n"],
  ["no file to read", "rules/a.txt", "nothing converted: there is no .yml, .yaml, .json or .rules file\n"],
])("a folder with %s alone is no failure, and is told", async (_, name, stdout) => {
  expect(await work({ [name]: "" }).command("rules")).toMatchObject({ code: 0, stdout });
});

test("losses are one line for each kind and file, and refusals are last", async () => {
  const alerts = ["A", "B", "C"].map((name) => alert(name, "a > 5").replace("page", `odd-${name}`));
  const { command } = work({ "a.yml": rules(...alerts, alert("Bad", "a >")), "b.yml": rules(alerts[0] ?? "") });
  expect((await command("a.yml", "b.yml")).stderr.trimEnd().split("\n")).toEqual([
    'warning: a.yml:4: the severity "…" is not known, so it is critical (3 times: "odd-A", "odd-B", "odd-C")',
    'warning: b.yml:4: the severity "odd-A" is not known, so it is critical',
    "warning: 4 losses of resources, each said above its resource",
    'refused: a.yml:7: "Bad" is not converted: this is no valid PromQL: syntax error at the end',
  ]);
  expect((await command("b.yml")).stderr).toBe("");
});

test("whoever stops reading the output ends no command", () => {
  const { folder } = work({ "a.yml": rules(...Array.from({ length: 3_000 }, (_, i) => alert(`A${i}`, "a >"))) });
  const script = '( "$0" "$1" convert a.yml --out out 2>&1; echo $? > status ) | head -n 1';
  const printed = execFileSync("sh", ["-c", script, process.execPath, main], { cwd: folder, encoding: "utf8" });
  expect(printed).toBe("nothing converted\n");
  expect(readFileSync(join(folder, "status"), "utf8")).toBe("3\n");
});
