import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Review } from "../../../dist/cli/review/review.js";
import type { ReportContent } from "../../../dist/cli/report/content.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { runCommand } from "../../support/command.js";
import { digest, steps } from "../../support/digests.js";
import { ownFolder, writeFiles } from "../../support/folders.js";
import { alert, burning, gt, monitor, severities } from "./declarations.js";
import { same } from "./dependentRows.js";

type Args = Readonly<Record<string, unknown>>;

const configuration = `
global: { resolve_timeout: 5m }
route:
  receiver: default
  routes:
    - { matchers: [ alertname = Watchdog ], receiver: "null" }
    - { matchers: [ 'team =~ "test|dev"' ], receiver: "null" }
    - match: { team: payments }
      receiver: payments-pd
      routes: [ { match_re: { severity: "warn.*" }, receiver: chat, mute_time_intervals: [ nights ] } ]
    - { matchers: [ '{"team.name"="search"}' ], receiver: search-pd, continue: true }
    - { matchers: [ 'tier="1"' ], receiver: audit }
receivers:
  - { name: default, slack_configs: [ { channel: "#a" } ] }
  - { name: "null", slack_configs: [] }
  - { name: payments-pd, pagerduty_configs: [ { routing_key: k } ] }
  - { name: chat, slack_configs: [ {} ] }
  - { name: search-pd, webhook_configs: [ {} ] }
  - { name: audit, webhook_configs: [ {} ] }
`;
const both = severities({ critical: [gt(5)], warn: [gt(1)] });
const of = (labels: Args | string | undefined, more: Args = {}): Args => ({ slug: "x", ...both, labels, ...more });
const [payments, search] = [{ team: "payments" }, { team: "", "team.name": "search", tier: "" }];
const burns = (labels: Args) => ({ slug: "s", ...burning({ ...alert("1h", 2), labels }, alert("6h", 5, "warn")) });

const folder = ownFolder({
  "alertmanager.yml": configuration,
  "list.yml": '- matchers: [team="search"]\n  name: search-pd',
});

/** What a review of one resource says, and the gaps and the row of a report. */
async function told(before: Args | undefined, after: Args, options = "--routes alertmanager.yml", kind = "Monitor") {
  const change = JSON.stringify(before) === JSON.stringify(after) ? same(after) : { ...(before && { before }), after };
  writeFiles(folder, { "preview.json": JSON.stringify(digest([steps(kind, "x", change)])) });
  const command = `review --from preview.json ${options} --report a.html --markdown a.md --json`;
  const { stdout, stderr } = await runCommand(folder, command.split(" "));
  const { risks, stacks, violations } = JSON.parse(stdout) as Review;
  const html = readFileSync(join(folder, "a.html"), "utf8");
  const report = JSON.parse(/<script[^>]*id="content"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? "") as ReportContent;
  const [shown] = stacks[0]?.changes ?? [];
  return {
    risks: risks.map(({ class: riskClass, direction, sentence }) => `${riskClass} ${direction} ${sentence}`),
    summary: shown?.summary?.replace(/^.*; /, ""),
    notified: shown?.notified,
    gaps: report.gaps.map(({ text }) => text),
    row: report.rows.map(({ now }) => now.notified ?? now.notifiers.flat()).flat(),
    violations: violations.map(({ message }) => message),
    text: stderr.replace(/\s+/g, " "),
    markdown: readFileSync(join(folder, "a.md"), "utf8"),
  };
}

const nobody = 'nobody (the receiver "null" has no integrations)';
const lost = `unrouted alerts-less x: its critical and warn alerts notify ${nobody}`;
const chat = 'chat (not always: muted in "nights")';

test("a changed label is shown with who was notified and who is, in each form", async () => {
  const found = await told(of(payments), of(search));
  const line = `critical: payments-pd → search-pd, warn: ${chat} → search-pd`;
  expect(found.risks).toHaveLength(1);
  expect(found.risks[0]).toMatch(/^routing unclear x: labels\.team "payments" → "", /);
  expect(found.risks[0]?.endsWith(line)).toBe(true);
  expect(found.notified).toEqual(line.split(", "));
  expect(found.text).toContain("notifies critical: payments-pd → search-pd");
  expect(found.markdown).toContain("notifies critical: payments-pd → search-pd");
  expect(found.row).toEqual(["critical and warn: search-pd"]);
});

test("alerts that get another severity are shown with who was notified, and are not called unchanged", async () => {
  const one = (severity: "critical" | "warn", label: string): Args =>
    of({ ...payments, severity: label }, severities({ [severity]: [gt(5)] }));
  const found = await told(one("critical", "critical"), one("warn", "warning"));
  const lines = ["critical: payments-pd → (not set)", `warn: (not set) → ${chat}`];
  expect(found.notified).toEqual(lines);
  expect(found.risks).toEqual([
    expect.stringMatching(/^threshold alerts-less /),
    `routing unclear x: labels.severity "critical" → "warning": ${lines.join(", ")}`,
  ]);
  expect(found.text).not.toContain("the same receivers");
  const same = { team: "payments" };
  const more = await told(of(same, severities({ critical: [gt(5)] })), of(same));
  expect(more.risks).toEqual([expect.stringMatching(/^threshold alerts-more /)]);
  expect(more.notified).toEqual(["critical: payments-pd", `warn: (not set) → ${chat}`]);
});

test("each form names the risks that fail the job, by this command's own --fail-on", async () => {
  const found = await told(of(payments), of({ team: "dev" }), "--routes alertmanager.yml --fail-on unrouted");
  expect(found.text).toContain("unrouted (alerts less, fails the job) Monitor x: ");
  expect(found.text).toContain("routing (effect unclear) Monitor x: ");
  expect(found.markdown).toContain("- **unrouted** (alerts less, fails the job) Monitor `x`: ");
  expect(found.markdown).toContain("- **routing** (effect unclear) Monitor `x`: ");
  const { stdout } = await runCommand(folder, ["review", ..."--from preview.json --fail-on routing --json".split(" ")]);
  writeFiles(folder, { "shard.json": stdout });
  const merged = await runCommand(folder, ["review", "--from", "shard.json"]);
  expect(merged).toMatchObject({ code: 0, stdout: expect.not.stringContaining("fails the job") });
});

test("who is notified by a new monitor is in its line", async () => {
  const found = await told(undefined, of({ ...search, tier: "1" }));
  expect(found).toMatchObject({ risks: [], summary: "notifies critical and warn: audit and search-pd", gaps: [] });
  expect(found.markdown).toContain("notifies critical and warn: audit and search-pd");
});

test.each<[what: string, before: Args | undefined, after: Args, risks: readonly (string | RegExp)[]]>([
  ["the same receivers", of(payments), of({ ...payments, cost: "1" }), []],
  ["nobody", of(payments), of({ team: "dev" }), [lost, /^routing/]],
  ["nobody, of what is new", undefined, of({ team: "test" }), [lost]],
  ["nobody, as before", of({ team: "dev" }), of({ team: "test" }), []],
  [
    "nobody, by its name",
    of(search),
    of(search, { name: "Watchdog" }),
    [lost, /^routing .* changes: critical and warn: /],
  ],
  [
    "a label, while the series decide",
    of({}),
    of({ cost: "1" }),
    [/^routing .*: notifications may be routed elsewhere$/],
  ],
])("a change to %s", async (_, before, after, risks) => {
  const found = await told(before, after);
  expect(found.risks).toEqual(risks.map((each) => (typeof each === "string" ? each : expect.stringMatching(each))));
});

const maybe = "critical and warn: search-pd, and maybe audit, depending on";
test.each<[Args, string]>([
  [of({ ...search, "team.name": "" }), "critical and warn: default"],
  [of({ team: "" }, monitor({})), "critical: audit or default or search-pd, depending on the series' label"],
  [of({ ...search, tier: unknown }), `${maybe} the label "tier", which is known only after the update`],
  [of("[secret]"), "which is a secret"],
  [of({ ...search, tier: "{{ $labels.tier }}" }), `${maybe} the template in the label "tier"`],
  [of({ ...payments, severity: "page" }), `critical: payments-pd, warn: ${chat}`],
  [of(payments, { notificationPolicySlug: "p" }), 'critical and warn: whom the policy "p" names'],
  [
    of({ ...payments, severity: "page" }, { seriesConditions: "[secret]" }),
    `other: ${chat} or payments-pd, depending on`,
  ],
])("a monitor %j notifies %s", async (after, expected) => {
  expect((await told(undefined, after)).row.join(", ")).toContain(expected);
});

test("each alert of an SLO has its own labels and severity", async () => {
  const found = await told(burns(payments), burns(search), undefined, "SLO");
  expect(found.notified?.[0]).toBe("critical: payments-pd → search-pd");
  expect(found.risks).toEqual([expect.stringMatching(/^routing .*critical: payments-pd → search-pd$/)]);
});

test("of a list, what no entry matches notifies nobody", async () => {
  const list = "--routes list.yml";
  const found = await told(of({ team: "search" }), of({ team: "shop" }), list);
  expect(found.notified).toEqual(["critical and warn: search-pd → nobody (no route matches)"]);
  const open =
    'its critical and warn alerts notify search-pd or nobody (no route matches), depending on the series\' label "team"';
  expect(await told(undefined, of({}), list)).toMatchObject({
    risks: [`unrouted unclear x: ${open}`],
    gaps: [open],
  });
});

test("without routes, the label decides, and without label and policy it is not known who is notified", async () => {
  const label = "--notifier-label page";
  const open = 'has no notification policy and no label "page": who is notified is not known';
  const named = await told(undefined, of({ page: "pd" }), label);
  expect(named.summary).toBe('notifies "pd"');
  expect(named.risks).toEqual([expect.stringMatching(/^unrouted unclear x: its label names the notifier "pd"/)]);
  expect(await told(undefined, of({ notifier: "pd" }), label)).toMatchObject({
    risks: [],
    summary: open,
    gaps: [open],
  });
});

test("standards know who is notified before and after", async () => {
  const rule = `(_, { notified }) => notified.critical.includes("nobody") ? JSON.stringify(notified) : ""`;
  writeFiles(folder, { "rules.mjs": `export default { Monitor: { heard: ${rule} } };` });
  const options = "--routes alertmanager.yml --standards rules.mjs";
  const found = await told(of(search), of({ team: "dev" }), options);
  expect(found.violations).toEqual([JSON.stringify({ critical: nobody, warn: nobody })]);
  expect(await told(of({ team: "test" }), of({ team: "dev" }), options)).toMatchObject({ violations: [] });
});

const receivers = "receivers: [ { name: a } ]";
test.each([
  [undefined, 'can\'t read "r.yml" (ENOENT)'],
  ["", 'can\'t read the routes in "r.yml": it is empty. Write an Alertmanager configuration'],
  ["route: [", 'can\'t read the routes in "r.yml", line 1: this is not valid YAML'],
  ["a: 1", 'line 1: there is no "route". Write an Alertmanager configuration with "route" and "receivers", or a list'],
  ['{{ define "a" }}x{{ end }}', "it is a template of notifications"],
  [`route:\n  receiver: b\n${receivers}`, 'line 2: the receiver "b" is not one of "receivers"'],
  [`route: { routes: [] }\n${receivers}`, 'line 1: the route has no "receiver"'],
  [`route:\n  receiver: a\n  matchers: [a=b]\n${receivers}`, "line 1: the first route is for all alerts"],
  [`route: { receiver: a, recieve: b }\n${receivers}`, '"recieve" is not a setting of a route'],
  [
    `route:\n  receiver: a\n  routes:\n  - matchers:\n    - a=~"("\n${receivers}`,
    'line 5: "(" is not a valid regular expression',
  ],
  [`route: { receiver: a }\n---\n${receivers}`, "there is a second document"],
  [`route: &a\n  receiver: a\n  routes: [ *a ]\n${receivers}`, "more than 100 routes inside one another"],
  ["- matchers: [a]\n  name: x", 'line 1: "a" is not a valid matcher, such as team="search"'],
  ["- matchers: [a=b]", 'line 1: the route has no "name"'],
  ["- matchers: a=b\n  name: x", "line 1: matchers is a string instead of a list"],
])("the routes %j are rejected: %s", async (text, message) => {
  const own = ownFolder({ "preview.json": "{}", ...(text !== undefined && { "r.yml": text }) });
  const { code, stderr } = await runCommand(own, ["review", "--from", "preview.json", "--routes", "r.yml"]);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
