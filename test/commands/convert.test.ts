import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main, runCommand } from "../support/command.js";
import type { Ended } from "../support/run.js";
import { digest, steps, type StepFacts } from "../support/digests.js";
import { ownFolder, writeFiles } from "../support/folders.js";

interface Result {
  readonly gone: readonly object[];
  readonly copies: readonly object[];
  readonly files: readonly string[];
  readonly converted: readonly { readonly name: string; readonly state: string }[];
  readonly missing: readonly object[];
  readonly rejected: readonly object[];
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
const value = "seriesConditions.defaults.critical.conditions[0].value";
const states = ({ converted }: Pick<Result, "converted">) =>
  converted.map(({ name, state }) => `${name} ${state}`).sort();

test("a second source with the same names is added under other names, with secrets of its own", async () => {
  const source = (threshold: number) => `${rules(alert("Down", `up == ${threshold}`))}---
receivers: [ { name: r, pagerduty_configs: [ { routing_key: key-${threshold} } ] } ]
`;
  const { convert, read } = work({ "a.yml": source(0), "b.yml": source(1) });
  const first = await convert("a.yml");
  expect(states(first)).toEqual(["down added", "r added"]);
  const second = await convert("b.yml");
  expect(states(second)).toEqual(["down-page added", "r-b added"]);
  expect(second.files).toContain("monitors-2.ts");
  expect(second.secrets).not.toEqual(first.secrets);
  expect(read("notifiers-2.ts")).toContain(`config.requireSecret("${second.secrets[0]}")`);
  const both = ["down exists", "down-page exists", "r exists", "r-b exists"];
  expect(states(await convert("b.yml", "a.yml"))).toEqual(both);
  const text = read("monitors.ts") + read("monitors-2.ts");
  expect([...text.matchAll(/value: (\d)/g)].map(([, value]) => value).sort()).toEqual(["0", "1"]);
});

test("a second run writes what is new, lists what is declared, reports what was removed, and changes no line of the program", async () => {
  const gone = alert("Gone", "g > 5");
  const { convert, read, change, command, put } = work({
    "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5"), gone),
  });
  await convert("a.yml");
  change("out/monitors.ts", 'labelQuery: "b"', 'labelQuery: "mine"');
  put("out/monitors.ts", read("monitors.ts").replace(/export const gone = [^]*?\n\}\);\n/, ""));
  const before = read("monitors.ts");
  put("a.yml", rules(alert("A", "a > 7"), alert("New", "n > 5"), gone));
  const { stdout } = await command("a.yml");
  expect(stdout).toMatch(/^wrote 2 files to "out", which declare 1 Monitor\n/);
  expect(stdout).toContain('\n  a.yml:4: Monitor "a" in monitors.ts\n');
  expect(read("monitors.ts")).toBe(before);
  const index = read("index.ts");
  expect(index.split("\n").filter((line) => line.includes("monitors"))).toHaveLength(2);
  const again = await convert("a.yml");
  expect(again).toMatchObject({ files: [], next: [], missing: [{ name: "gone" }] });
  expect(states(again)).toEqual(["a changed", "new exists"]);
  expect([read("monitors.ts"), read("index.ts")]).toEqual([before, index]);
});

test("a rule stays what it is if its path is typed in another way, or if it moves to another file and changes", async () => {
  const { folder, convert, change } = work({ "rules/a.yml": rules(alert("A", "a > 5")) });
  await convert("rules");
  renameSync(join(folder, "rules/a.yml"), join(folder, "rules/z.yml"));
  expect(states(await convert("rules"))).toEqual(["a exists"]);
  symlinkSync(".", join(folder, "link"));
  for (const path of ["./rules/z.yml", "link/rules", join(folder, "link/link/rules/z.yml")])
    expect(await convert(path)).toMatchObject({ code: 0, converted: [{ name: "a", state: "exists" }] });
  change("rules/z.yml", "a > 5", "a > 7");
  expect(states(await convert("link"))).toEqual(["a changed"]);
});

test("an alert of Grafana that is renamed stays what it is, by its uid, and an SLO of OpenSLO by its name", async () => {
  const source = (title: string) => `
- { uid: u, title: ${title}, condition: A, data: [{ refId: A, model: { expr: up, instant: true } }] }
- { apiVersion: openslo/v1, kind: SLO, metadata: { name: slo, displayName: ${title} }, spec: {
    indicator: { spec: { thresholdMetric: { metricSource: { spec: { query: a } } } } },
    objectives: [{ op: lt, value: 1, target: 0.9 }] } }`;
  const { convert, put } = work({ "a.yml": source("Old") });
  await convert("a.yml");
  put("a.yml", source("New"));
  const differences = [{ path: "name", old: "Old", new: "New" }];
  const converted = [
    expect.objectContaining({ name: "old", differences }),
    expect.objectContaining({ name: "slo", differences }),
  ];
  expect(await convert("a.yml")).toMatchObject({ code: 4, gone: [], converted });
});

test("a resource that is moved in the program, or whose variable is renamed, is still recognized there", async () => {
  const { convert, command, put, read, change } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  const [moved = ""] = /export const a = [^]*?\n\}\);\n/.exec(read("monitors.ts")) ?? [];
  change("out/monitors.ts", moved, '// const c = new obs.Monitor("c")\n');
  put("out/own/mine.ts", moved.replace("a = new obs.", "mine = new ").replace("});", "}, { protect: true });"));
  change("out/monitors.ts", "const b", "const renamed");
  const lacking = (...paths: string[]) => paths.map((path) => ({ file: "index.ts", text: `import "./${path}";` }));
  const unchanged = { code: 0, files: [], missing: [] };
  expect(await convert("a.yml")).toMatchObject({ ...unchanged, missingLines: lacking("own/mine") });
  change("out/index.ts", 'import "./monitors";', 'export * from "./own/mine.js";');
  expect(await convert("a.yml")).toMatchObject({ ...unchanged, missingLines: lacking("monitors") });
  put("a.yml", rules(alert("A", "a > 7"), alert("C", "c > 5")));
  const { stdout } = await command("a.yml");
  expect(stdout).toContain('declare all resources:\n  import "./monitors";\n  import "./monitors-2";\n');
  expect(stdout).toContain(`a.yml:4: Monitor "a" in own/mine.ts changes: ${value}: 5 → 7\n`);
  expect(stdout).toContain('../a.yml: Monitor "b" in monitors.ts');
  change("out/own/mine.ts", "value: 5", "value: 7");
  expect(states(await convert("a.yml"))).toEqual(["a exists", "c exists"]);
});

test("rules that only a label tells apart are not confused, and a changed one's copy is not declared beside it", async () => {
  const of = (threshold: number, ...labels: readonly string[]) =>
    rules(...labels.map((label) => alert("A", `${label} > ${threshold}`, `, kind: ${label}`)));
  const { convert, put } = work({ "a.yml": of(5, "x", "y") });
  await convert("a.yml");
  put("a.yml", of(7, "y", "x"));
  put("b.yml", of(7, "x"));
  const differences = [{ path: value, old: 5, new: 7 }];
  const converted = ["a-y", "a-x"].map((name) => ({ name, state: "changed", differences }));
  for (let run = 0; run < 2; run++)
    expect(await convert(".")).toMatchObject({ files: [], converted, copies: [{ file: "b.yml", of: "a-x" }] });
  expect(await convert(".", "--accept")).toMatchObject({ code: 0 });
  expect(await convert(".")).toMatchObject({ code: 0, copies: [] });
});

test("what a run adds changes nothing in what the next run says of the others", async () => {
  const of = (...names: readonly string[]) => rules(...names.map((name) => alert("A", `${name} > 5`)));
  const { convert, put } = work({ "a.yml": of("a"), "b.yml": of("b") });
  await convert(".");
  put("a.yml", of("x"));
  put("b.yml", of("y", "x", "z"));
  const { converted, copies, gone } = await convert(".");
  const left = converted.map((each) => (each.state === "added" ? { ...each, state: "exists" } : each));
  expect(await convert(".")).toMatchObject({ converted: expect.arrayContaining(left), copies, gone });
});

test("the order in which files are named does not decide on names or secrets", async () => {
  const source = (word: string) =>
    `receivers: [{ name: r, slack_configs: [{ channel: ${word}, api_url: "http://x/${word}" }] }]`;
  const [one, other] = [1, 2].map(() => work({ "a.yml": source("x"), "b.yml": source("y") }));
  await one?.convert("a.yml", "b.yml");
  await other?.convert("b.yml", "a.yml");
  expect(other?.read("notifiers.ts")).toBe(one?.read("notifiers.ts"));
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
  writeFileSync(join(folder, "rules/latin.yml"), Buffer.from("#\n# é\n", "latin1"));
  const found = await convert("rules");
  expect(found).toMatchObject({ code: 3, version: 1 });
  expect(states(found)).toEqual(["a added", "b added", "c added", "d added"]);
  expect(found.converted[0]).toEqual({ kind: "Monitor", name: "a", file: "rules/a.rules", line: 4, state: "added" });
  expect(found.rejected).toMatchObject([
    { file: "rules/dangling.yml", reason: "the target of the link does not exist" },
    { file: "rules/latin.yml", line: 2, reason: "it is not UTF-8 text" },
    { file: "rules/a.rules", line: 5, name: "Broken", reason: expect.stringContaining("PromQL") },
    { file: "rules/more/am.yaml", line: 1, name: "x", reason: expect.stringContaining("msteams_configs") },
  ]);
  expect(found.losses.map(({ text }) => text)).toEqual(["the file is empty"]);
});

test("a folder without a file to read is reported, and is no failure", async () => {
  const stdout = "nothing converted: there is no .yml, .yaml, .json or .rules file\n";
  expect(await work({ "rules/a.txt": "" }).command("rules")).toMatchObject({ code: 0, stdout });
});

test("losses are one line for each kind and file, after a project in another language, and rejections are last", async () => {
  const alerts = ["A", "B", "C"].map((name) => alert(name, "a > 5").replace("page", `odd-${name}`));
  const { command } = work({
    "Pulumi.yaml": "name: alerts\nruntime: { name: python }\n",
    "a.yml": rules(...alerts, alert("Bad", "a >")),
    "b.yml": rules(alert("A", "b > 5").replace("page", "odd-A")),
  });
  expect((await command("a.yml", "b.yml")).stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining('warning: the files are TypeScript, but Pulumi.yaml has the runtime "python".'),
    'warning: a.yml:4: the severity "…" is unknown, so it becomes critical (3 times: "odd-A", "odd-B", "odd-C")',
    'warning: b.yml:4: the severity "odd-A" is unknown, so it becomes critical',
    "warning: 4 losses in resources; each is a comment above its resource",
    'error: a.yml:7: "Bad" is not converted: this is no valid PromQL: syntax error at the end',
  ]);
  expect((await command("b.yml")).stderr).toBe("");
});

test("whoever stops reading the output ends no command", () => {
  const { folder } = work({ "a.yml": rules(...Array.from({ length: 1_000 }, (_, i) => alert(`A${i}`, "a >"))) });
  const script = '( "$0" "$1" convert a.yml --out out 2>&1; echo $? > status ) | head -n 1';
  const printed = execFileSync("sh", ["-c", script, process.execPath, main], { cwd: folder, encoding: "utf8" });
  expect(printed).toBe("nothing converted\n");
  expect(readFileSync(join(folder, "status"), "utf8")).toBe("3\n");
});

test("what is no longer in the source is reported while the program has it, but not by a run on another file", async () => {
  const { command, convert, put } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  put("a.yml", rules(alert("A", "a > 5")));
  const { code, stdout } = await command("a.yml");
  expect(code).toBe(4);
  expect(stdout).toContain(
    'No longer in the source, and still in the program:\n  ../a.yml: Monitor "b" in monitors.ts\n',
  );
  put("b.yml", rules(alert("C", "c > 5")));
  expect(await convert("b.yml")).toMatchObject({ code: 0, gone: [] });
});

test("an alert that moves to another group or file is recognized, and a copy is reported instead of declared twice", async () => {
  const grouped = (group: string, ...alerts: readonly string[]) =>
    rules(...alerts).replace("name: g", `name: ${group}`);
  const { convert, put, command } = work({ "in/a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("in");
  put("in/a.yml", grouped("renamed", alert("A", "a > 5")));
  put("in/b.yml", grouped("own", alert("B", "b > 9")));
  const moved = await convert("in");
  expect(moved).toMatchObject({ code: 4, files: [], gone: [], copies: [] });
  expect(states(moved)).toEqual(["a exists", "b changed"]);
  put("copy/a.yml", rules(alert("A", "a > 5"), alert("A", "a > 6"), alert("A", "a > 6")));
  const { code, stdout } = await command("copy");
  expect(code).toBe(4);
  expect(stdout).toContain(
    'Not written, because the program already declares the same:\n  copy/a.yml:4: Monitor "A" is "a"\n',
  );
  expect(stdout).toContain('copy/a.yml:6: Monitor "A" is "a-2"');
});

test("what was accepted is not reported again, and comes back as it was", async () => {
  const both = rules(alert("A", "a > 5"), alert("B", "b{x='c d'} > 5"));
  const { convert, put, change, read } = work({ "a.yml": both, "b.yml": rules(alert("A", "a > 5")) });
  expect(await convert("a.yml", "b.yml")).toMatchObject({ code: 4, copies: [{ name: "A", of: "a" }] });
  expect(await convert("a.yml", "b.yml", "--accept")).toMatchObject({ code: 0, copies: [] });
  put("a.yml", rules(alert("A", "a > 5")));
  expect(await convert("a.yml", "b.yml", "--accept")).toMatchObject({ code: 0, gone: [] });
  put("a.yml", both);
  expect(states(await convert("a.yml", "b.yml"))).toEqual(["a exists", "b exists"]);
  // White space in a text counts.
  change("a.yml", "c d", "cd");
  expect(states(await convert("a.yml"))).toEqual(["a exists", "b changed"]);
  // A copy of what the program no longer has is added.
  put("out/monitors.ts", read("monitors.ts").replace(/export const a = [^]*?\n\}\);\n/, ""));
  expect(states(await convert("b.yml"))).toEqual(["a-page added"]);
});

/** A program in which the names of what was converted are no literals. */
const component =
  'import * as obs from "pulumi-observability";\nfor (const each of all) new obs.Monitor(each.name, each);\n';

test("what changed in the source is named again and again, wherever the program declares it, until it is accepted", async () => {
  const all = ["A", "B", "C", "D", "E"].map((name) => alert(name, "a > 0.02"));
  const { convert, command, put } = work({ "a.yml": rules(...all), "b.yml": rules(alert("Z", "z > 1")) });
  await convert("a.yml", "b.yml");
  put("out/monitors.ts", component);
  expect(await convert("a.yml", "b.yml")).toMatchObject({ code: 0, files: [], converted: [] });
  put("a.yml", rules(alert("A", "a > 0.03"), alert("New", "n > 1"), ...all.slice(2)));
  const said = [
    `  a.yml:4: Monitor "a" changes: ${value}: 0.02 → 0.03\n`,
    '\nNo longer in the source, and not found in the TypeScript files of "out":\n  ../a.yml: Monitor "b"\n',
    "and not written again:\n",
    "  1 more\n",
  ];
  const first = await command("a.yml");
  expect(first.stdout).toContain('\nNew in the source:\n  a.yml:5: Monitor "new"\n');
  const second = await command("a.yml");
  for (const { code, stdout } of [first, second]) {
    expect(code).toBe(4);
    for (const text of said) expect(stdout).toContain(text);
  }
  const differences = [{ path: value, old: 0.02, new: 0.03 }];
  const { converted, gone, code } = await convert("a.yml");
  expect({ converted, gone, code }).toMatchObject({
    converted: [{ name: "a", state: "changed", differences }, { name: "new" }],
    gone: [{ kind: "Monitor", name: "b", file: "../a.yml" }],
    code: 4,
  });
  expect(await convert("a.yml", "--accept")).toMatchObject({ code: 0, gone: [] });
  expect(await convert("a.yml")).toMatchObject({ code: 0, gone: [], converted: [{ name: "new", state: "exists" }] });
  // What both had lost is new if it returns.
  put("a.yml", rules(...all));
  expect(states(await convert("a.yml"))).toEqual(["a changed", "b added"]);
});

test("a new loss, and a secret that is added or removed, are changes; what can't be read or converted is not gone", async () => {
  const receiver = (more: string, severity: string) =>
    `receivers: [{ name: r, webhook_configs: [{ url: "http://x", http_config: { ${more} } }] }]
route: { receiver: r, routes: [{ receiver: r, matchers: [severity="${severity}"] }] }`;
  const { convert, put, read } = work({ "am.yml": receiver("", "page"), "a.yml": rules(alert("A", "a > 5")) });
  await convert(".");
  put("am.yml", receiver("authorization: { credentials: s3cret }", "ticket"));
  const changed = await convert(".");
  const [lost] = [expect.stringContaining('severity="ticket"')];
  const path = "webhook.httpConfig.bearerToken";
  expect(changed).toMatchObject({ code: 4, converted: [{ name: "a" }, { name: "r", lost: [lost] }] });
  expect(changed.converted[1]).toMatchObject({ differences: [{ path, new: "[secret]" }] });
  expect(changed.stderr).toContain(`${path}: added (secret); newly lost: the route of alerts with severity="ticket"`);
  await convert(".", "--accept");
  expect(read("pulumi-observability.json")).not.toContain("s3cret");
  for (const text of [rules(alert("A", "a >")), "groups: [", "groups: []\nfoo: ["]) {
    put("a.yml", text);
    for (const more of [[], ["--accept"]])
      expect(await convert("a.yml", ...more)).toMatchObject({ code: 3, gone: [], rejected: [{ file: "a.yml" }] });
  }
});

const notes = "out/pulumi-observability.json";

test("notes of an earlier version are completed, and others are rejected instead of read as far as they go", async () => {
  const { convert, command, put, read } = work({ "a.yml": rules(alert("A", "a > 5"), alert("B", "b > 5")) });
  await convert("a.yml");
  const text = read("pulumi-observability.json");
  const { declared, ...others } = JSON.parse(text);
  for (const each of Object.values<any>(declared)) each.converted = { origin: each.converted.origin };
  put(notes, JSON.stringify({ ...others, declared }));
  put("out/monitors.ts", component);
  expect(await convert("a.yml")).toMatchObject({ code: 0, files: [] });
  expect(read("pulumi-observability.json")).toBe(text);
  put(notes, JSON.stringify({ ...others, declared }));
  put("a.yml", rules(alert("A", "a > 7"), alert("B", "b > 5")));
  for (let run = 0; run < 2; run++) {
    const { code, stdout } = await command("a.yml");
    expect(stdout).toContain('  a.yml:4: Monitor "a" changes, and an earlier version recorded no fields\n');
    expect(code).toBe(4);
  }
  for (const wrong of [{ a: 1 }, { a: { file: "x" } }, { a: { ...declared["Monitor/a"], converted: {} } }, [], null]) {
    put(notes, JSON.stringify({ ...others, declared: wrong }));
    const { code, stderr } = await command("a.yml");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("is not as this version of pulumi-observability wrote it"),
    ]);
  }
});

const monitor = (name: string, threshold: number, more: object = {}) => ({
  after: {
    name,
    labels: { severity: "page" },
    labelQuery: name.toLowerCase(),
    seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: threshold }] } } },
    signalGrouping: { signalPerSeries: true },
    ...more,
  },
});

/** A folder with what was converted, whose program declares it in a way that the code does not show. */
async function previewed() {
  const all = work({
    "a.yml": rules(alert("A", "a > 0.02"), alert("B", "b > 5")),
    "am.yml": "receivers: [{ name: r, pagerduty_configs: [{ routing_key: key, client: c }] }]",
  });
  await all.convert(".");
  all.put("out/monitors.ts", component);
  const notifier: StepFacts = { after: { name: "r", slug: "r", oncallB: { routingKey: "[secret]", client: "c" } } };
  const against = (resources: Readonly<Record<string, StepFacts>>, ...args: readonly string[]) => {
    const shown = Object.entries({ "Notifier r": notifier, ...resources });
    const json = digest(shown.map(([key, facts]) => steps(key.split(" ")[0] ?? "", key.split(" ")[1] ?? "", facts)));
    all.put("preview.out", JSON.stringify(json));
    return all.command("a.yml", "am.yml", "--from", "preview.out", ...args);
  };
  // One is in a component, which has its own name and slug for it, and the other has a prefix of the stack.
  const of = (a: number, more: object = {}) => ({
    "Monitor checkout-a": monitor("A", a, { slug: "checkout-a", ...more }),
    "Monitor b": monitor("B", 5, { slug: "pre-b", labels: { severity: "page", team: "of defaultLabels" } }),
  });
  return { ...all, against, of };
}

test("a preview tells what the program declares, wherever it does: what differs, what can't be compared, and when nothing does", async () => {
  const { against, of, change, convert } = await previewed();
  const equal = await against(of(0.02));
  expect(equal).toMatchObject({ code: 0, stderr: "" });
  expect(equal.stdout).toMatch(/^nothing differs: compared 3 items with project\/dev\n/);
  expect(equal.stdout).toContain(
    `Can't be compared:\n  am.yml:1: Notifier "r" in project/dev: oncallB.routingKey is a secret\n`,
  );
  change("a.yml", "0.02", "0.03");
  for (let run = 0; run < 2; run++) {
    const { code, stdout } = await against(of(0.02));
    expect(code).toBe(4);
    expect(stdout).toContain(
      `Different in the source and in project/dev:\n  a.yml:4: Monitor "a" in project/dev changes: ${value}: 0.02 → 0.03\n\n`,
    );
  }
  // Also what only the program changed.
  const { "Monitor b": _, ...without } = of(0.03, { intervalSecs: 30 });
  const other = await against(without);
  expect(other.code).toBe(4);
  expect(other.stdout).toContain("changes: intervalSecs: 30 → (not set)\n");
  expect(other.stdout).toContain('Not found in project/dev, and not written again:\n  a.yml:5: Monitor "b"\n');
  expect(await against(of(0.03))).toMatchObject({ code: 0 });
  expect(await convert("a.yml")).toMatchObject({ code: 0 });
  // Of what a preview hides, only the file's own change is known.
  change("a.yml", "b >", "sum(b) >");
  const hidden = { ...of(0.03), "Monitor b": monitor("B", 5, { slug: "b", labelQuery: "[secret]" }) };
  const { code, stdout } = await against(hidden);
  expect(code).toBe(4);
  expect(stdout).toContain('Monitor "b" in project/dev changes: labelQuery: "b" → "sum(b)"\n');
  expect(stdout).toContain('Monitor "b" in project/dev: labelQuery is a secret\n');
  expect((await against(hidden, "--json")).stdout).toContain('"labelQuery is a secret"');
});

test("differences from a preview are accepted as they are, and what the file and the program lack is settled", async () => {
  const { against, of, put, convert } = await previewed();
  const { "Monitor b": _, ...without } = of(0.04);
  expect(await against(without)).toMatchObject({ code: 4 });
  expect(await against(without, "--accept")).toMatchObject({ code: 0 });
  const { code, stdout } = await against(without);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^nothing differs: compared 3 items with project\/dev, except for 2 items with accepted differences\n/,
  );
  expect(await convert("a.yml")).toMatchObject({ code: 0 });
  expect(await against({ "Monitor checkout-a": monitor("A", 0.05) })).toMatchObject({ code: 4 });
  put("a.yml", rules(alert("A", "a > 0.02")));
  expect(await against(of(0.02))).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('../a.yml: Monitor "b" in project/dev\n'),
  });
  expect(await against({ "Monitor checkout-a": monitor("A", 0.02) })).toMatchObject({ code: 0 });
  expect(await convert("a.yml")).toMatchObject({ code: 0, gone: [] });
});

test("an alert that is renamed in the file and in the program is found by its display name, and not written again", async () => {
  const { against, of, put, convert, read } = await previewed();
  put("a.yml", rules(alert("A", "a > 0.02"), alert("Renamed", "b > 6")));
  const renamed = { ...of(0.02), "Monitor b": monitor("Renamed", 6, { slug: "b", labelQuery: "b" }) };
  const before = [read("index.ts"), read("monitors.ts")];
  expect(await against(renamed)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing differs/) });
  expect([read("index.ts"), read("monitors.ts")]).toEqual(before);
  expect(await convert("a.yml")).toMatchObject({ code: 0, gone: [] });
});

test("without notes, a preview keeps from writing again what it has; one without unchanged resources tells too little", async () => {
  const { folder, against, of, convert, command, read } = await previewed();
  const before = JSON.parse(read("pulumi-observability.json"));
  rmSync(join(folder, notes));
  expect(await against(of(0.04))).toMatchObject({ code: 4, stdout: expect.stringContaining("0.04 → 0.02") });
  expect(await against(of(0.02))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing differs/) });
  const after = JSON.parse(read("pulumi-observability.json"));
  expect(after.declared["Monitor/a"].converted).toEqual(before.declared["Monitor/a"].converted);
  expect(await convert("a.yml", "am.yml")).toMatchObject({ code: 0, files: [] });
  const partial = { ...digest([]), changeSummary: { same: 3 } };
  writeFileSync(join(folder, "partial.out"), JSON.stringify(partial));
  const reason = "error: the preview of project/dev lacks unchanged resources. Run it with --show-sames.\n";
  expect(await command("a.yml", "--from", "partial.out")).toMatchObject({ code: 1, stderr: reason });
});
