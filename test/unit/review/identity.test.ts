import { describe, expect, test } from "vitest";
import { stackPreviewOf } from "../../../dist/cli/stacks/changes.js";
import { monitorsIn } from "../../../dist/cli/stacks/monitors.js";
import { risksOf } from "../../../dist/cli/stacks/risks.js";
import { digest, providerStep, type StepFacts, steps } from "../../support/digests.js";
import { critical, gt } from "./changes.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const state = { slug: "x", ...critical(gt(1)) };
const [early, late] = ["2026-01-31T08:00:00.123Z", "2026-01-31T08:00:00.456Z"];

/** What is said of monitors by name, whose providers ask the services at given addresses. */
function told(addresses: Readonly<Record<string, string>>, monitors: Readonly<Record<string, StepFacts>>) {
  const all = [
    ...Object.entries(addresses).map(([name, baseUrl]) => providerStep(name, baseUrl)),
    ...Object.entries(monitors).map(([name, facts]) => steps("Monitor", name, facts)),
  ];
  return risksOf(stackPreviewOf(digest(all), "dev")).map(({ class: each, sentence }) => `${each} ${sentence}`);
}

const [here, there] = ["https://a.example.com", "https://b.example.com"];
const same = (facts: StepFacts) => ({ op: "same", before: state, after: state, ...facts });
const removed = "removed old: the monitor is removed: it fires no more";
const doubt = `"new" declares one of this slug: whether "${here}" and "${there}" are one service is not known`;

describe("an object is known by its service, its kind and its slug", () => {
  test("so an unchanged one of another service hides no delete", () => {
    const monitors = (time: string) => ({
      old: { before: state, provider: "a", createdAt: early },
      new: same({ provider: "b", createdAt: time }),
    });
    expect(told({ a: here, b: there }, monitors(late))).toEqual([removed]);
    // Two addresses of one service: the provider leaves the object in place.
    expect(told({ a: here, b: there }, monitors(early))).toEqual([]);
    expect(told({ a: here, b: `${here}/` }, monitors(late))).toEqual([]);
  });

  test("and if a service is not known, that is said", () => {
    const monitors = { old: { before: state, provider: "a" }, new: { after: state, provider: "b" } };
    expect(told({ a: here, b: there }, monitors)).toEqual([`${removed}; ${doubt}`]);
    expect(told({ a: "[secret]", b: there }, monitors)).toEqual([
      `${removed}; "new" declares one of this slug: whether both use the same service is not known`,
    ]);
  });

  test("of one provider it is the same whatever the address is", () => {
    const monitors = { old: { before: state, provider: "a" }, new: { after: state, provider: "a" } };
    expect(told({ a: "[secret]" }, monitors)).toEqual([]);
  });

  test("two of which nobody knows the slug are not the same", () => {
    const before = { ...state, slug: unknown };
    expect(told({}, { old: { before }, new: { after: before } })).toContain(removed);
  });
});

describe("an object that is left behind", () => {
  const left = (name: string, slug: string, more = "") =>
    `left-behind ${name}: the monitor "${slug}" stays at the service, and this stack manages it no more (retainOnDelete)${more}`;

  test("is the one of the old slug", () => {
    const facts = { op: "replace", before: state, after: { ...state, slug: "y" }, retained: true };
    expect(told({}, { m: facts })).toContain(left("m", "x"));
  });

  test("is none if the program declares it elsewhere", () => {
    expect(told({}, { old: { before: state, retained: true }, new: { after: state } })).toEqual([]);
    expect(told({}, { old: { op: "replace", before: state, after: state, retained: true } })).toEqual([
      "replaced old: the monitor is deleted and created anew: nothing holds in between",
    ]);
  });

  test("is one if only another service has its name", () => {
    const monitors = {
      old: { before: state, provider: "a", retained: true },
      new: { after: state, provider: "b" },
    };
    expect(told({ a: here, b: there }, monitors)).toEqual([left("old", "x", `; ${doubt}`)]);
  });
});

test("resources of two components may share a name: what is said of one is not said of the other", () => {
  const urnIn = (component: string) =>
    `urn:pulumi:dev::project::team:${component}$pulumi-nodejs:dynamic/observability:Monitor::m`;
  const created = (component: string) => {
    const after = { ...state, slug: component };
    return steps("Monitor", "m", { after }).map((step) => ({ ...step, urn: urnIn(component) }));
  };
  const said = [{ urn: urnIn("a"), severity: "warning", message: 'warning: takes over monitor "a", changes: name' }];
  const preview = stackPreviewOf(digest([created("a"), created("b")], said), "dev");
  expect(risksOf(preview).map((risk) => risk.class)).toEqual(["adopts"]);
  expect(monitorsIn(preview).map(({ title }) => title)).toEqual(["a", "b"]);
});
