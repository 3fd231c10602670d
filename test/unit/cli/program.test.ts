import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Folder } from "../../../dist/cli/program/folder.js";
import type { Item } from "../../../dist/cli/program/item.js";
import { Names, variableFor, variableOf } from "../../../dist/cli/program/names.js";
import { programOf } from "../../../dist/cli/program/write.js";
import { writeProject, writeTeams } from "../../../dist/cli/program/writeProject.js";
import { caseOf } from "../../support/cases.js";
import { ownFolder } from "../../support/folders.js";

const item = (kindName: string, name: string, args: Item["args"] = {}, comments: string[] = []): Item => ({
  kind: caseOf(kindName).kind,
  name,
  args,
  comments,
});

const write = (items: readonly Item[], more: Partial<Parameters<typeof programOf>[1]> = {}) =>
  Object.fromEntries(programOf(items, { known: {}, taken: [], ...more }).files);

describe("a written program", () => {
  test("refers to another resource by its variable, across files", () => {
    const files = write([
      item("LogAllocationConfig", "only", { datasetAllocations: [{ datasetSlug: "checkout-logs" }] }),
      item("Dataset", "checkout-logs", {}),
    ]);
    expect(files).toEqual({
      datasets: `import * as obs from "pulumi-observability";\n\nexport const checkoutLogs = new obs.Dataset("checkout-logs");\n`,
      logAllocationConfig: [
        'import * as obs from "pulumi-observability";',
        'import { checkoutLogs } from "./datasets";',
        "",
        'export const only = new obs.LogAllocationConfig("only", {',
        "  datasetAllocations: [",
        "    {",
        "      datasetSlug: checkoutLogs.slug,",
        "    },",
        "  ],",
        "});",
        "",
      ].join("\n"),
    });
  });

  test("refers to the notifier that a label of a monitor or of an SLO's alert names, and nowhere else to it", () => {
    const labels = { notifier: "pager", team: "pager" };
    const { monitors, slos } = write([
      item("Monitor", "a", { labels, annotations: { notifier: "pager" } }),
      item("Monitor", "b", { labels: { notifier: "logs" } }),
      item("SLO", "s", { labels, burnRateAlertingConfig: [{ window: "1h", budget: 2, labels }] }),
      item("Notifier", "pager", { webhook: { url: "x", details: { notifier: "pager" } } }),
      item("Dataset", "logs"),
    ]);
    const of = (text = "") => text.match(/(?:notifier|team): [\w".]+/g);
    const [own, others] = [
      ["notifier: pager.slug", 'team: "pager"'],
      ['notifier: "pager"', 'notifier: "logs"'],
    ];
    expect([of(monitors), of(slos)]).toEqual([
      [...own, ...others],
      [...own, ...own],
    ]);
    expect(monitors).toContain('import { pager } from "./notifiers";');
  });

  test("says what decides before the texts that people only read, which may be long", () => {
    const args = { name: "A", annotations: { runbook: "https://x" }, labels: { team: "a" }, labelQuery: "up == 0" };
    const { monitors } = write([item("Monitor", "a", args)]);
    expect(monitors?.match(/^ {2}\w+/gm)?.map((each) => each.trim())).toEqual([
      "name",
      "labels",
      "labelQuery",
      "annotations",
    ]);
  });

  test("has each value where it is used, also if several resources share it", () => {
    const seriesConditions = { defaults: { critical: { conditions: [{ op: "GT", value: 5, sustainSecs: 60 }] } } };
    const files = write(["a1", "b1", "c1"].map((name) => item("Monitor", name, { seriesConditions })));
    expect(Object.keys(files)).toEqual(["monitors"]);
    expect(files.monitors?.match(/sustainSecs: 60/g)).toHaveLength(3);
  });

  test("declares a schedule once that several resources have, and another one where it is used", () => {
    const schedule = { timezone: "Europe/Berlin", weeklySchedule: { monday: { active: "NEVER" } } };
    const files = write([
      ...["a1", "b1"].map((name) => item("Monitor", name, { schedule })),
      item("Monitor", "c1", { schedule: { timezone: "UTC" } }),
    ]);
    expect(files.schedules).toContain("export const europeBerlinSchedule: obs.types.Schedule = {");
    expect(files.monitors).toContain('import { europeBerlinSchedule } from "./schedules";');
    expect(files.monitors?.match(/schedule: europeBerlinSchedule/g)).toHaveLength(2);
    expect(files.monitors).toContain('schedule: {\n    timezone: "UTC",\n  }');
  });

  test("groups by a label, but not what other files refer to", () => {
    const files = write(
      [
        item("Monitor", "errors", { labels: { team: "Check out" } }),
        item("Monitor", "alone"),
        item("SLO", "uptime", { labels: { team: "Check out" } }),
        item("Monitor", "index", { labels: { team: "index" } }),
      ],
      { groupBy: "team" },
    );
    expect(Object.keys(files).toSorted()).toEqual(["check-out", "index-2", "monitors"]);
    expect(files["check-out"]).toContain("export const uptime = new obs.SLO(");
  });

  test("takes no name twice, neither of variables nor of files of an earlier run", () => {
    const names = new Names(["a", "b1"]);
    expect(["a", "a", "b1"].map((name) => names.free(name))).toEqual(["a2", "a3", "b1_2"]);
    expect(names.free("a", "c")).toBe("c");
    const known = { "Monitor/errors": { file: "monitors", variable: "errors", name: "errors" } };
    const files = write([item("SLO", "errors"), item("Monitor", "other")], { known, taken: ["monitors"] });
    expect(files.slos).toContain("export const errorsSLO = ");
    expect(files["monitors-2"]).toContain("export const other = ");
    // On some systems both names are one file.
    expect(Object.keys(write([item("Monitor", "a1")], { taken: ["Monitors"] }))).toEqual(["monitors-2"]);
  });

  test("says above an item what was lost, in lines that fit", () => {
    const { monitors = "" } = write([item("Monitor", "a1", {}, [`lost:\n${"word ".repeat(40)}`])]);
    expect(monitors).toContain("\n// lost: word word");
    expect(monitors.split("\n").every((line) => line.length <= 80)).toBe(true);
  });

  test("keeps a text of several lines readable, and each text what it is", () => {
    const query = 'sum(\n  rate(x{a="`${b}`"}[5m])\n)\\';
    const odd = ["it's", 'a "quote"', `'"`, "\u2028", "a\rb", "\\", "${x}", "\u0007\n\n", "a\u202eb"];
    const labels = Object.fromEntries(odd.map((text, i) => [`${text}${i}`, text]));
    const { monitors = "" } = write([
      item("Monitor", "a1", { labelQuery: query, labels: { ...labels, ["__proto__"]: "p" } }),
    ]);
    expect(monitors).toContain("labelQuery: `sum(\n  rate(");
    expect(monitors).not.toMatch(/\p{Bidi_Control}/u);
    const literal = /new obs\.Monitor\("a1", ([^]*)\);\n$/.exec(monitors)?.[1] ?? "";
    const read = new Function(`return ${literal}`)() as { labelQuery: string; labels: object };
    expect(read.labelQuery).toBe(query);
    expect(Object.entries(read.labels)).toEqual([...Object.entries(labels), ["__proto__", "p"]]);
  });
});

test.each([
  ["checkout-errors", "checkoutErrors"],
  ["5xx", "monitor5xx"],
  ["class", "monitorClass"],
  ["--", "monitor"],
  ["HTTP_errors", "httpErrors"],
  ["x".repeat(255), "x".repeat(60)],
  [
    "node-high-number-of-open-connections-used-by-one-of-the-processes-unexpectedly",
    "nodeHighNumberOfOpenConnectionsUsedByOneOfTheProcesses",
  ],
])("the variable of %j is %s", (slug, variable) => {
  expect(variableOf(slug, "Monitor")).toBe(variable);
});

test("the environment variable of a secret has the words of its name", () => {
  expect(["pagerOncallBRoutingKey", "k8sApiKey", "monitor5xxUrl"].map(variableFor)).toEqual([
    "PAGER_ONCALL_B_ROUTING_KEY",
    "K8S_API_KEY",
    "MONITOR5XX_URL",
  ]);
});

describe("the folder of a program", () => {
  const write = (folder: Folder) => folder.close(writeProject(folder, some, {}), []);
  const some = [item("Monitor", "a", { labelQuery: "up" })];

  test("is not written to if nothing is new", () => {
    const path = ownFolder();
    write(new Folder(path));
    const notes = join(path, "pulumi-observability.json");
    const text = readFileSync(notes, "utf8");
    const folder = new Folder(path);
    rmSync(notes);
    folder.close(folder.declared, []);
    expect(() => readFileSync(notes)).toThrow("ENOENT");
    folder.close({}, ["key"]);
    expect(readFileSync(notes, "utf8")).not.toBe(text);
  });

  test("holds one program or a repository of teams, and never becomes both", () => {
    const [one, many] = [ownFolder(), ownFolder()];
    for (const path of [one, many]) for (const isTeams of [true, false]) new Folder(path).expectLayout({ isTeams });
    write(new Folder(one));
    const folder = new Folder(many);
    folder.write("imports/checkout.json", "{}");
    folder.close(writeTeams(folder, new Map([["checkout", some]]), {}), []);
    new Folder(one).expectLayout({ isTeams: false });
    new Folder(many).expectLayout({ isTeams: true });
    expect(() => new Folder(one).expectLayout({ isTeams: true })).toThrow(
      `"${one}" holds one program, and --teams cannot add to it: choose another --out`,
    );
    expect(() => new Folder(many).expectLayout({ isTeams: false })).toThrow(
      `"${many}" holds a repository of teams, and only import --teams adds to it: choose another --out`,
    );
  });
});
