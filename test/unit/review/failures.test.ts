import { expect, test } from "vitest";
import { driftOf, reviewOf } from "../../../dist/cli/review/build.js";
import { measure } from "../../../dist/cli/review/measure.js";
import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import { reviewText } from "../../../dist/cli/review/text.js";
import { type Change, type StackPreview, withFailure } from "../../../dist/cli/preview/stackPreview.js";
import type { Standards } from "../../../dist/sdk/standards/index.js";
import { steps, urnOf } from "../../support/digests.js";
import { fires, gt, monitor } from "./declarations.js";
import { preview, previewOf, reviewed } from "./reviewed.js";

const deleted = (stack: string) => steps("Monitor", "gone", { before: { slug: "gone" } }, stack);
const stackOf = (stack: string) => previewOf([deleted(stack)], [], stack);

const fail = (): never => {
  throw new Error("it is odd");
};

/** A stack that deletes two objects, of which one cannot be read: nobody knows what will be wrong with it. */
function withOdd(stack: string, odd: PropertyDescriptorMap): StackPreview {
  const all = previewOf([steps("Monitor", "odd", { before: { slug: "odd" } }, stack), deleted(stack)], [], stack);
  const [first, ...others] = all.changes;
  return { ...all, changes: [Object.defineProperties({ ...first }, odd) as Change, ...others] };
}

test("a resource that the review cannot read is named, and hides nothing else of its stack or of another one", () => {
  const all = reviewed(stackOf("a"), withOdd("b", { objects: { get: fail } }), stackOf("c"));
  expect(all.risks.map(({ stack, class: each, name }) => `${stack} ${each} ${name}`)).toEqual(
    ["a", "b", "c"].map((stack) => `project/${stack} removed gone`),
  );
  expect(all.stacks.map(({ isFailed }) => isFailed)).toEqual(Array(3).fill(false));
  expect(all.stacks[1]?.failures).toEqual([
    { kind: "Monitor", name: "odd", text: "unable to review this change: it is odd" },
  ]);
  for (const form of [reviewText(all), reviewMarkdown(all)]) {
    expect(form).toContain("unable to review this change: ");
    expect(form).toContain("1 stack not fully checked in 3 stacks");
    expect(form).toContain("2 to delete, not fully checked");
    expect(form.match(/the monitor is removed/g)).toHaveLength(3);
  }
});

test("an exception in a program, which the SDK repeats without its stack, is printed once", () => {
  const errors = ["Unhandled exception: Error: no team\n    at declare (/teams/a.ts:7:1)", "no team"];
  const failed = previewOf(
    [],
    errors.map((message) => ({ message, severity: "error" })),
  );
  expect(failed.messages.map(({ text }) => text)).toEqual(errors.slice(0, 1));
});

test("a traceback of Python that the engine has caused is not printed, and an exception of the program is", () => {
  const frames = ["Traceback (most recent call last):", '  File "<frozen>", line 1, in <module>', "    run()"];
  const cancelled = [...frames, "asyncio.exceptions.CancelledError", "", "During handling of the above exception:", ""];
  const lines = ["before", ...cancelled, ...frames, "KeyboardInterrupt", "after"];
  const told = (all: readonly string[]) => [
    { message: "error: too high", severity: "error" },
    ...all.map((line) => ({ message: `${line}\n\n`, severity: "info#err" })),
  ];
  const textsOf = (all: readonly string[]) => previewOf([], told(all)).messages.map(({ text }) => text);
  expect(textsOf(lines)).toEqual(["too high", "before", "after"]);
  expect(textsOf([...frames, "ModuleNotFoundError: No module named 'x'"])).toHaveLength(1 + frames.length + 1);
});

test("a stack that the review cannot read fails, and all others are reported", () => {
  const previews = [withOdd("a", { kind: { get: fail } }), stackOf("b")];
  const all = reviewed(...previews);
  expect(all.stacks.map(({ stack, isFailed }) => [stack, isFailed])).toEqual([
    ["project/a", true],
    ["project/b", false],
  ]);
  expect(all.risks.map(({ stack }) => stack)).toEqual(["project/b"]);
  expect(driftOf(previews).stacks.map(({ isFailed }) => isFailed)).toEqual([true, false]);
  for (const form of [reviewText(all), reviewMarkdown(all)]) expect(form).toContain("the review failed: it is odd");
});

test("a rule of the standards that throws or does not return a string fails by its name, and the other rules apply", async () => {
  const standards = {
    Monitor: {
      throws: () => {
        throw new Error("no such label");
      },
      rejects: () => Promise.reject(new Error("not found")),
      "is named": () => "no name",
      "is owned": async () => "no owner",
      // What JavaScript lets a rule answer.
      ...(Object.fromEntries([false, 5, {}, ["x"]].map((answer, i) => [`odd ${i}`, () => answer])) as unknown as Record<
        string,
        () => undefined
      >),
      "is met": () => true,
      ...Object.fromEntries(["", null, undefined].map((answer, i) => [`met ${i}`, async () => answer])),
    },
  } satisfies Standards;
  const created = preview("Monitor", { after: fires(gt(1)) });
  const all = reviewOf([{ preview: created, standards: await measure(created, standards) }]);
  expect(all.violations.map(({ rule, message }) => [rule, message])).toEqual([
    ["is named", "no name"],
    ["is owned", "no owner"],
  ]);
  expect(reviewText(all)).toMatch(/2 broken standards and 1 stack not fully checked in 1 stack$/m);
  expect(all.stacks[0]?.failures.map(({ text }) => text)).toEqual([
    'the rule "throws" of the standards failed: no such label',
    'the rule "rejects" of the standards failed: not found',
    ...["false", "5", "an object", "a list"].map(
      (answer, i) => `the rule "odd ${i}" of the standards returned ${answer} instead of a string or nothing`,
    ),
  ]);
});

test("a failed backtest fails its stack, and the risks of the stack are reported", () => {
  const failures = ["the backtest failed: connection refused"];
  const all = reviewOf([{ preview: stackOf("a"), failures }]);
  expect(all.stacks[0]).toMatchObject({ isFailed: false, failures: [{ text: failures[0] }] });
  expect(all.risks.map((risk) => risk.class)).toEqual(["removed"]);
});

test("a preview that fails has the risks found so far, and the note that its deletes are not known", () => {
  const slower = { before: monitor({ intervalSecs: 30 }), after: monitor({ intervalSecs: 60 }) };
  const error = { severity: "error", message: "error: it is refused", urn: urnOf("Monitor", "bad") };
  const all = reviewed(preview("Monitor", slower, [error]));
  expect(all.risks.map((risk) => risk.class)).toEqual(["threshold"]);
  for (const form of [reviewText(all), reviewMarkdown(all)]) {
    expect(form).toContain("it is refused");
    expect(form).toContain("failed, incomplete: 1 to change");
    expect(form.replace(/\s+/g, " ")).toContain("Only changes found before that are listed; deletes are missing.");
  }
  const drift = reviewText(driftOf([preview("Monitor", slower, [error])])).replace(/\s+/g, " ");
  expect(drift).toContain("Objects that it had not read before were not checked.");
});

test("a wrong URL or token is one failure with the resources, and what the service says of one resource stays its own", () => {
  const failing = (name: string, text: string) => ({
    urn: urnOf("Monitor", name),
    message: `error: unable to validate monitor "${name}": ${text}`,
    severity: "error",
  });
  const names = Array.from({ length: 6 }, (_, i) => `m${i}`);
  const failuresOf = (textOf: (name: string, i: number) => string) =>
    reviewed(
      previewOf(
        [deleted("dev")],
        names.map((name, i) => failing(name, textOf(name, i))),
      ),
    )
      .stacks[0]?.failures.map(({ text }) => text)
      .filter((text) => !text.startsWith("incomplete"));
  const token = (name: string, i: number) =>
    `GET /api/v1/config/monitors/${name} answered 401: the token has expired. Set a valid token (request ${i})`;
  const more = "5 more errors with this cause: Monitor m1, Monitor m2, Monitor m3 and 2 others";
  expect(failuresOf(token)).toEqual([`unable to validate monitor "m0": ${token("m0", 0)}\n${more}`]);
  const unreachable = (name: string, i: number) =>
    `GET /api/v1/config/monitors/${name} to "http://127.0.0.1:1" failed: connection refused. Gave up after ${i} attempts in 0.${i} s. Check that the service is running, and check baseUrl`;
  expect(failuresOf(unreachable)).toHaveLength(1);
  expect(failuresOf((name) => `POST /api/v1/config/monitors answered 400: ${name} must not be odd`)).toHaveLength(6);
  const listing = ["monitors", "SLOs"].map((kind) => `unable to list ${kind}: ${token(kind, 0)}`);
  const live = reviewed(listing.reduce(withFailure, previewOf([])));
  expect(live.stacks[0]?.failures[0]?.text).toMatch(/\n1 more error with this cause: list SLOs$/);
});

test("an object that the service rejects is reported once, as an error, and remarks that there were errors are not", () => {
  const refusal = `monitor "x" already exists and differs in seriesConditions.defaults.critical.conditions[0].sustainSecs`;
  const diagnostics = [
    { urn: urnOf("Monitor", "x"), message: `error: ${refusal}\n`, severity: "error" },
    { message: "One or more errors occurred. Check logs for more details", severity: "error" },
    { message: "error: preview failed\n", severity: "error" },
  ];
  const all = reviewed(preview("Monitor", { after: fires(gt(1)) }, diagnostics));
  expect(all.risks).toEqual([]);
  const told = all.stacks[0]?.failures.filter(({ text }) => !text.startsWith("incomplete"));
  expect(told).toEqual([{ kind: "Monitor", name: "x", text: refusal }]);
});
