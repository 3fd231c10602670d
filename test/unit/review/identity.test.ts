import { describe, expect, test } from "vitest";
import { driftOf, reviewOf } from "../../../dist/cli/review/build.js";
import { merged } from "../../../dist/cli/review/merged.js";
import { stackPreviewOf } from "../../../dist/cli/preview/stackPreview.js";
import { reportContent } from "../../../dist/cli/report/build.js";
import { monitorsIn } from "../../../dist/cli/preview/monitors.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { digest, providerStep, type StepFacts, steps, urnOf } from "../../support/digests.js";
import { fires, gt } from "./declarations.js";
import { previewOf, reviewed, risksOf, texts } from "./reviewed.js";

const state = { slug: "x", ...fires(gt(1)) };
const [early, late] = ["2026-01-31T08:00:00.123Z", "2026-01-31T08:00:00.456Z"];
const [here, there] = ["https://a.example.com", "https://b.example.com"];

/** What is said of monitors by name, whose providers "a" and "b" ask the services at two addresses. */
function told(monitors: Readonly<Record<string, StepFacts>>, a = here, b = there) {
  const all = Object.entries(monitors).map(([name, facts]) => steps("Monitor", name, facts));
  const found = risksOf(previewOf([providerStep("a", a), providerStep("b", b), ...all]));
  return found.map(({ class: each, sentence }) => `${each} ${sentence}`);
}

const old = { before: state, provider: "a" };
const retained = { ...old, retained: true };
const removed = "removed old: the monitor is removed: it no longer fires";
const left = (slug: string) =>
  `retained old: the monitor "${slug}" stays in the service, but this stack no longer manages it (retainOnDelete)`;
const declares = (doubt: string) => `; "new" declares an object with this slug: ${doubt}`;
const doubt = declares(`it is unknown whether "${here}" and "${there}" are one service`);
const hidden = { ...old, before: { ...state, slug: unknown } };

describe("an object is known by its service, its kind and its slug:", () => {
  test.each<[string, Parameters<typeof told>, readonly string[]]>([
    [
      "perhaps one, under a secret URL",
      [{ old, new: { after: state, provider: "b" } }, "[secret]"],
      [`${removed}${declares("it is unknown whether both use the same service")}`],
    ],
    ["one of one provider, under a secret URL", [{ old, new: { after: state, provider: "a" } }, "[secret]"], []],
    ["two of unknown slugs", [{ old: hidden, new: { after: hidden.before } }], [removed]],
    [
      "one that is retained and recreated",
      [{ old: { ...retained, op: "replace", after: state } }],
      ["replaced old: the monitor is deleted and recreated: there is no alerting in between"],
    ],
    [
      "one that is retained, of which another service has the name",
      [{ old: retained, new: { after: state, provider: "b" } }],
      [`${left("x")}${doubt}`],
    ],
  ])("%s", (_, given, expected) => {
    expect(
      told(...given)
        .filter((text) => !text.startsWith("unvalidated"))
        .sort(),
    ).toEqual([...expected].sort());
  });
});

describe("resources of two components may share a name: what is said of one is not said of the other:", () => {
  const m = (component: string, facts: StepFacts) => steps("Monitor", "m", { component, ...facts });
  const state = (component: string, value = 1) => ({ slug: component, ...fires(gt(value)) });
  const kept = (value = 1) => ({ before: state("b"), after: state("b", value), op: value === 1 ? "same" : "update" });

  test("a message", () => {
    const message = 'warning: adopts the existing monitor "a" and changes: name [adopts]';
    const said = [{ urn: urnOf("Monitor", "m", "dev", "a"), severity: "warning", message }];
    const both = previewOf([m("a", { after: state("a") }), m("b", { after: state("b") })], said);
    expect(risksOf(both).map((risk) => risk.class)).toEqual(["adopts"]);
    expect(monitorsIn(both).map(({ title }) => title)).toEqual(["a", "b"]);
  });

  test("an edit outside Pulumi, and a change", () => {
    const edited = m("a", { recorded: state("a"), before: state("a", 2), after: state("a") });
    const preview = previewOf([edited, m("b", kept())]);
    expect(driftOf([preview]).stacks[0]?.changes).toHaveLength(1);
    const { rows } = reportContent([preview], reviewed(preview));
    expect(rows.map(({ change }) => change)).toEqual([0, undefined]);
    const both = reviewed(previewOf([edited, m("b", kept(3))]));
    expect(both.stacks[0]?.changes.map(({ isDeleted = false }) => isDeleted)).toEqual([false, false]);
  });
});

test.each([
  ["before", 0],
  ["after", 1],
])("the delete of an object that a replacement has left behind is no change of its resource: %s its step", (_, at) => {
  const before = { ...state, slug: "now" };
  const own = steps("Monitor", "m", { before, after: { ...before, intervalSecs: 90 } });
  const left = steps("Monitor", "m", { before: { ...state, slug: "left" } });
  const preview = previewOf(at === 0 ? [left, own] : [own, left]);
  expect(monitorsIn(preview)).toMatchObject([{ title: "now", op: "update", before: { slug: "now" } }]);
  const { rows } = reportContent([preview], reviewOf([{ preview }]));
  expect(rows.map(({ slug }) => slug)).toEqual(["now"]);
});

// Which objects these are, and the texts: test/unit/teams/ownedObjects.test.ts.
describe("an object that one stack deletes and another one declares", () => {
  const stack = (name: string, facts: StepFacts, url = here) => ({
    preview: stackPreviewOf(
      { ...digest([steps("Monitor", "mine", facts, name)], [], name), config: { "observability:baseUrl": url } },
      name,
    ),
    standards: undefined,
  });
  const a = (more: Partial<StepFacts> = {}) => stack("a", { before: state, createdAt: early, ...more });
  const b = (url = here, createdAt = early) => stack("b", { op: "same", before: state, after: state, createdAt }, url);
  const gone = "project/a removed alerts-less mine: the monitor is removed: it no longer fires";

  test.each([
    [
      "of perhaps one service",
      a(),
      b(here, late),
      [gone, expect.stringMatching(/^project\/a declared-elsewhere unclear mine: .*it is unknown.*\. Move it with /)],
    ],
    [
      "that is retained",
      a({ retained: true }),
      b(),
      [
        'project/a retained unclear mine: keeps Monitor "x" in the service (retainOnDelete), which the stack "project/b" declares',
        `project/a ${left("x").replace("old:", "unclear mine:")}`,
      ],
    ],
  ])("%s is reported once, even if reports are merged again", (_, first, second, expected) => {
    const all = reviewOf([first, second]);
    expect(all.risks.map((risk, i) => `${risk.stack} ${texts(all.risks)[i]}`)).toEqual(expected);
    expect(merged([all])).toEqual(all);
    expect(merged([reviewOf([first]), reviewOf([second])])).toEqual(all);
  });
});
