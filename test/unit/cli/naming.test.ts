import { expect, test } from "vitest";
import { facetsOf } from "../../../dist/cli/program/facets.js";
import { longestName, namesFor } from "../../../dist/cli/program/naming.js";
import { programOf } from "../../../dist/cli/program/write.js";
import { caseOf } from "../../support/cases.js";

const { kind: monitor } = caseOf("Monitor");

const title = (text: string, args: Record<string, unknown> = {}, slug = "0a1b2c3d") => ({
  text,
  facets: facetsOf(monitor, args),
  slug,
});
const labelled = (text: string, labels: Record<string, string>) => title(text, { labels });

test("a name is the title in whole words", () => {
  expect(namesFor([title("KubePodCrashLooping (EU)"), title("Größe der Warteschlange!")])).toEqual([
    "kube-pod-crash-looping-eu",
    "gro-e-der-warteschlange",
  ]);
  const [long = ""] = namesFor([
    title("Tracking disk space low for more than ten minutes, please look at the run book"),
  ]);
  expect(long).toBe("tracking-disk-space-low-ten-minutes-please-look-run-book");
  expect(long.length).toBeLessThanOrEqual(longestName);
});

test.each([
  [
    "service",
    [labelled("Errors", { service: "cart", team: "a" }), labelled("Errors", { service: "mailer", team: "a" })],
    ["errors-cart", "errors-mailer"],
  ],
  [
    "service, then severity",
    [
      labelled("Errors", { service: "cart", severity: "critical" }),
      labelled("Errors", { service: "cart", severity: "warn" }),
      labelled("Errors", { service: "mailer", severity: "warn" }),
    ],
    ["errors-cart-critical", "errors-cart-warn", "errors-mailer"],
  ],
  [
    "the severity of its conditions",
    ["critical", "warn"].map((severity) => title("Errors", { seriesConditions: { defaults: { [severity]: {} } } })),
    ["errors-critical", "errors-warn"],
  ],
  [
    "what the query selects",
    ["cart", "mailer"].map((service) => title("Errors", { labelQuery: `rate(x{service="${service}"}[5m])` })),
    ["errors-cart", "errors-mailer"],
  ],
  [
    "a value, with its field's name",
    [30, 120].map((intervalSecs) => title("Errors", { intervalSecs })),
    ["errors-interval-secs-30", "errors-interval-secs-120"],
  ],
  ["the slug", [title("Errors", {}, "errors-old"), title("Errors", {}, "errors-new")], ["errors-old", "errors-new"]],
  ["a number at last", [title("Errors"), title("Errors")], ["errors", "errors-2"]],
])("equal titles are told apart by %s", (_, titles, names) => {
  expect(namesFor(titles)).toEqual(names);
});

test("a name that an earlier run has given is not given again", () => {
  expect(namesFor([title("Errors")], ["errors"])).toEqual(["errors-2"]);
});

test("what is numbered stays in the order of its source", () => {
  const labelQuery = `sum(\n${"  up\n".repeat(100)})`;
  const items = ["z", "a", "y", "b"].map((name) => ({ kind: monitor, name, args: { labelQuery }, comments: [] }));
  const { declared } = programOf(items, { known: {}, taken: [] });
  expect(Object.values(declared).map(({ name, file }) => `${name} ${file}`)).toEqual([
    "z monitors/part1",
    "a monitors/part1",
    "y monitors/part2",
    "b monitors/part2",
  ]);
});

test("what is too long for one file becomes a folder by team, then by service, each part with an index", () => {
  const labelQuery = `sum(\n${"  up\n".repeat(20)})`;
  const items = Array.from({ length: 60 }, (_, i) => {
    const labels = { team: i % 5 === 0 ? "search" : "checkout", service: `service-${i % 3}` };
    return { kind: monitor, name: `m-${i}`, args: { labels, labelQuery }, comments: [] };
  });
  const { files } = programOf(items, { known: {}, taken: [], source: "imported from https://config.example.com" });
  expect([...files.keys()].toSorted()).toEqual([
    ...["service-0", "service-1", "service-2"].flatMap((service) => [
      `checkout/${service}/part1`,
      `checkout/${service}/part2`,
    ]),
    "search/service-0",
    "search/service-1",
    "search/service-2",
  ]);
  for (const text of files.values()) {
    expect(text.split("\n").length).toBeLessThan(300);
    expect(text).toMatch(/^\/\/ \d+ Monitor, imported from https:\/\/config\.example\.com\.\n/);
  }
});
