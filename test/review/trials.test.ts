import { describe, expect, test } from "vitest";
import { stackPreviewOf } from "../../dist/cli/stacks/changes.js";
import { risksOf } from "../../dist/cli/stacks/risks.js";
import type { Field } from "../../dist/provider/schema/field.js";
import { unknown } from "../../dist/provider/values/unknown.js";
import { caseOf } from "../support/cases.js";
import { digest, steps } from "../support/digests.js";
import { reportFigure } from "../support/figures.js";
import { allFields, changedFields } from "./fields.js";
import { type Failure, failuresOf, faults, type NamedTrial, report } from "./judge.js";
import { trials } from "./trials/index.js";
import { marks, type Trial } from "./trials/trial.js";

const all = trials.map((trial, i): NamedTrial => ({ ...trial, name: `${trial.kind.toLowerCase()}-${i + 1}` }));
const isUpdate = ({ before, after }: Trial) => before !== undefined && after !== undefined;

/** What only the engine does: test/cli/review.test.ts has a resource for each of these options. */
const needsEngine = ({ optionsBefore, optionsAfter }: Trial) =>
  Object.keys({ ...optionsBefore, ...optionsAfter }).some((option) => option !== "retainOnDelete");
/** The engine names no place of a secret that becomes plain, or the other way: test/cli/reviewSecrets.test.ts. */
const turns = /becomes (?:secret|plain)|what is one already/;
const judged = all.filter((trial) => !needsEngine(trial) && !turns.test(trial.title));

/** The arguments as a preview shows them: secrets masked, and a list that contains one as a whole. */
function shown(value: any, field: Field): unknown {
  if (value === undefined) return undefined;
  if (field.options.secret !== undefined || isMarked(value, "$secret")) return "[secret]";
  if (isMarked(value, "$later")) return unknown;
  if (isMarked(value, "$known")) return shown(value.$known, field);
  return field.visit<unknown>({
    scalar: () => value,
    map: ({ item }) => Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each, item)])),
    list: ({ item }) => {
      const items = value.map((each: unknown) => shown(each, item));
      return JSON.stringify(items).includes("[secret]") ? "[secret]" : items;
    },
    object: ({ shape: { fields } }) =>
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fields[key] && shown(each, fields[key])])),
  });
}

const isMarked = (value: unknown, mark: string) => typeof value === "object" && value !== null && mark in value;
const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !marks.some((mark) => mark in value);

/** Where the engine sees a difference. */
function places(before: any, after: any, path = ""): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isNested(before) || !isNested(after)) return [path];
  const isList = Array.isArray(before);
  const placeOf = (key: string) => (isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => places((before as any)[key], (after as any)[key], placeOf(key)));
}

const risks = judged.flatMap((trial) => {
  const { kind, name, before, after, optionsBefore } = trial;
  const inputs = (args: Trial["before"]) =>
    args && { name: "x", slug: name, ...(shown(args, caseOf(kind).kind.root) as object) };
  const isReplaced = isUpdate(trial) && before?.slug !== after?.slug;
  const facts = {
    ...(isReplaced && { op: "replace" }),
    ...(before && { before: inputs(before) ?? {} }),
    ...(after && { after: inputs(after) ?? {} }),
    ...(isUpdate(trial) && { places: places(before, after) }),
    retained: optionsBefore?.retainOnDelete === true,
  };
  return risksOf(stackPreviewOf(digest([steps(kind, name, facts)]), "dev"));
});
const failures: readonly Failure[] = judged.flatMap((trial) => failuresOf(trial, risks));

describe("a review of the changes that people propose", () => {
  test.each(faults)("has no %s", (fault) => {
    const found = report(failures.filter((each) => each.fault === fault));
    expect(found, `\n${found}`).toBe("");
  });

  test("prints no placeholder of the engine", () => {
    expect(risks.filter(({ sentence }) => sentence.includes(unknown))).toEqual([]);
  });

  test("is tried with nearly all of them in process", () => {
    const meaningless = judged.filter(({ named }) => named.length === 0).length;
    reportFigure(`Trials of review: ${judged.length}, of which ${meaningless} mean nothing`);
    expect(judged.length).toBeGreaterThan(470);
  });
});

describe("the changes that people propose", () => {
  test("are many, and each has a title of its own", () => {
    expect(all.filter(({ named }) => named.length === 0).length).toBeGreaterThanOrEqual(60);
    expect(all.filter(({ named }) => named.length > 0).length).toBeGreaterThanOrEqual(130);
    const titles = all.map(({ kind, title }) => `${kind}: ${title}`);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  });

  test("change every field of every kind", () => {
    const changed = new Set(all.filter(isUpdate).flatMap(changedFields));
    expect(allFields.filter((field) => !changed.has(field))).toEqual([]);
  });
});
