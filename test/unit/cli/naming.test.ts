import { expect, test } from "vitest";
import { longestName, namesFor } from "../../../dist/cli/program/naming.js";
import { programOf } from "../../../dist/cli/program/write.js";
import { caseOf } from "../../support/cases.js";

const { kind: monitor } = caseOf("Monitor");

const title = (text: string, labels: Record<string, string> = {}, slug = "0a1b2c3d") => ({ text, labels, slug });

test("a name is the title in whole words", () => {
  expect(namesFor([title("KubePodCrashLooping (EU)"), title("Größe der Warteschlange!")])).toEqual([
    "kube-pod-crash-looping-eu",
    "gro-e-der-warteschlange",
  ]);
  const [long = "", word] = namesFor([
    title("Tracking disk space low for more than ten minutes, please look at the run book"),
    title("x".repeat(100)),
  ]);
  expect(long).toBe("tracking-disk-space-low-for-more-than-ten-minutes-please");
  expect(long.length).toBeLessThanOrEqual(longestName);
  expect(word).toBe("x".repeat(longestName));
});

test.each([
  [
    "the label that differs",
    [title("Errors", { service: "cart", team: "a" }), title("Errors", { service: "mailer", team: "a" })],
    ["errors-cart", "errors-mailer"],
  ],
  [
    "service, then severity",
    [
      title("Errors", { service: "cart", severity: "critical" }),
      title("Errors", { service: "cart", severity: "warn" }),
      title("Errors", { service: "mailer", severity: "warn" }),
    ],
    ["errors-cart", "errors-cart-warn", "errors-mailer"],
  ],
  [
    "a label that can be read",
    [title("Errors", { service: "12345", zone: "b" }), title("Errors", { service: "ab12cd", zone: "a" })],
    ["errors-b", "errors-a"],
  ],
  ["the slug", [title("Errors", {}, "errors-old"), title("Errors", {}, "errors-new")], ["errors-old", "errors-new"]],
  ["a number at last", [title("Errors"), title("Errors")], ["errors", "errors-2"]],
])("equal titles are told apart by %s", (_, titles, names) => {
  expect(namesFor(titles)).toEqual(names);
});

test("a name that an earlier run has given is not given again", () => {
  expect(namesFor([title("Errors")], ["errors"])).toEqual(["errors-2"]);
  expect(namesFor([title("Errors", { service: "cart" })], ["errors"])).toEqual(["errors-cart"]);
});

test("what is too long for one file is split, in the order of its source", () => {
  const labelQuery = `sum(\n${"  up\n".repeat(100)})`;
  const items = ["z", "a", "y", "b"].map((name) => ({ kind: monitor, name, args: { labelQuery }, comments: [] }));
  const source = "imported from https://config.example.com";
  const { declared, files } = programOf(items, { known: {}, taken: ["monitors-1"], source });
  expect(Object.values(declared).map(({ name, file }) => `${name} ${file}`)).toEqual([
    "z monitors-2",
    "a monitors-2",
    "y monitors-3",
    "b monitors-3",
  ]);
  for (const text of files.values()) {
    expect(text.split("\n").length).toBeLessThan(300);
    expect(text).toMatch(/^\/\/ 2 Monitor, imported from https:\/\/config\.example\.com\.\n/);
  }
});
