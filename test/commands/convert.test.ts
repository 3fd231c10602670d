import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main, runCommand } from "../support/command.js";
import type { Ended } from "../support/run.js";
import { ownFolder, writeFiles } from "../support/folders.js";

interface Result {
  readonly files: readonly string[];
  readonly converted: readonly { readonly name: string; readonly state: string }[];
  readonly changed: readonly object[];
  readonly removed: readonly object[];
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
const states = ({ converted }: Result) => converted.map(({ name, state }) => `${name} ${state}`).sort();

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
  expect(added.files).toContain("monitors-g.ts");
  expect(states(await convert(first, second))).toEqual(["down unchanged", "down-page unchanged"]);
  const text = read("monitors.ts") + read("monitors-g.ts");
  expect([...text.matchAll(/value: (\d)/g)].map(([, value]) => value).sort()).toEqual(["0", "1"]);
});

test("what has changed is told with its difference, and written anew only with --update and if nobody edited it", async () => {
  const { convert, read, change, command } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  const before = read("monitors.ts");
  change("a.yml", "a > 5", "a > 7");
  change("a.yml", "b > 5", "b > 7");
  const told = await convert("a.yml");
  expect(states(told)).toEqual(["a changed", "b changed"]);
  expect(told.changed[0]).toMatchObject({
    name: "a",
    isEdited: false,
    difference: [expect.stringMatching(/^- .*value: 5/), expect.stringMatching(/^\+ .*value: 7/)],
  });
  expect(read("monitors.ts")).toBe(before);
  expect((await command("a.yml")).stdout).toContain("--update writes it anew");

  change("out/monitors.ts", 'labelQuery: "b"', 'labelQuery: "mine"');
  const updated = await convert("a.yml", "--update");
  expect(states(updated)).toEqual(["a updated", "b changed"]);
  expect(read("monitors.ts")).toBe(
    before.replace("value: 5", "value: 7").replace('labelQuery: "b"', 'labelQuery: "mine"'),
  );
  expect(states(await convert("a.yml"))).toEqual(["a unchanged", "b changed"]);
  // By hand as the source has it.
  change("out/monitors.ts", "value: 5", "value: 7");
  change("out/monitors.ts", '"mine"', '"b"');
  expect(states(await convert("a.yml"))).toEqual(["a unchanged", "b unchanged"]);
});

test("an update that needs a secret brings what reads it", async () => {
  const { convert, read, put } = work({ "am.yml": "receivers:\n- name: r\n" });
  expect((await convert("am.yml")).secrets).toEqual([]);
  put("am.yml", 'receivers:\n- name: r\n  webhook_configs: [ { url: "https://h.example.com" } ]\n');
  const { secrets, stderr } = await convert("am.yml", "--update");
  expect(secrets).toHaveLength(1);
  expect(stderr).toContain("\n  npx pulumi-observability secrets\n");
  expect(read("notifiers.ts")).toMatch(/^import \* as pulumi from "@pulumi\/pulumi";$/m);
  expect(read("notifiers.ts")).toContain("const config = new pulumi.Config();");
  expect(read("notifiers.ts")).toContain(`config.requireSecret("${secrets[0]}")`);
});

test("two receivers of one name in two files have secrets of their own", async () => {
  const receiver = (key: string) => `receivers: [ { name: r, pagerduty_configs: [ { routing_key: ${key} } ] } ]`;
  const { convert, read } = work({ "a.yml": receiver("one"), "b.yml": receiver("two") });
  const [first] = (await convert("a.yml")).secrets;
  const [second] = (await convert("b.yml")).secrets;
  expect(first).not.toBe(second);
  expect(read("notifiers-b.ts")).toContain(`config.requireSecret("${second}")`);
  expect(states(await convert("b.yml", "a.yml"))).toEqual(["r unchanged", "r-2 unchanged"]);
});

test("what its source says no more, or somebody took out of the program, is told and not listed as converted", async () => {
  const { folder, convert, put, read } = work({
    "rules/a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")),
    "rules/c.yml": rules(alert("C", "c > 5")),
  });
  await convert("rules");
  put("rules/a.yml", rules(alert("A", "a > 5")));
  rmSync(join(folder, "rules/c.yml"));
  const removed = await convert("rules");
  expect(states(removed)).toEqual(["a unchanged"]);
  expect(removed.removed).toMatchObject([
    { id: "Monitor/b", file: "rules/a.yml" },
    { id: "Monitor/c", file: "rules/c.yml" },
  ]);
  put("out/monitors.ts", read("monitors.ts").replace(/export const a = [^]*?\n\}\);\n/, ""));
  const missing = await convert("rules");
  expect([states(missing), missing.missing]).toEqual([[], [expect.objectContaining({ name: "a" })]]);
});

test("a rule that moves to another file stays what it is", async () => {
  const { folder, convert } = work({ "rules/a.yml": rules(alert("A", "a > 5")) });
  await convert("rules");
  renameSync(join(folder, "rules/a.yml"), join(folder, "rules/z.yml"));
  const moved = await convert("rules");
  expect([states(moved), moved.removed]).toEqual([["a unchanged"], []]);
  expect((await convert("rules/z.yml")).removed).toEqual([]);
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
