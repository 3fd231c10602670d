import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate } from "../../dist/behaviour/simulate.js";
import { foundFiring, recordings } from "../judge/recorded.js";
import { isDeep } from "../support/figures.js";
import { root } from "../package/project.js";
import { ownFolder } from "../support/folders.js";
import { differenceOf, edges, trials } from "./behaviourTrials.js";

type Simulate = typeof simulate;

const sampled = [...edges, ...fc.sample(trials, { numRuns: 200, seed: 1 })];

/** Whether the recorded cases or the trials find a simulation wrong. */
function isFound(simulation: Simulate): boolean {
  try {
    return (
      recordings.some((each) => foundFiring(simulation, each).join() !== [...each.firing].sort().join()) ||
      sampled.some((trial) => differenceOf(simulation, trial) !== undefined)
    );
  } catch {
    return true;
  }
}

/** A mistake in a file of the simulation: some text, and what is there instead. */
const faults: readonly (readonly [file: string, text: string, instead: string])[] = [
  ["conditions", "return value > threshold", "return value >= threshold"],
  ["conditions", "return value >= threshold", "return value > threshold"],
  ["conditions", "return value < threshold", "return value <= threshold"],
  ["conditions", "return value <= threshold", "return value < threshold"],
  ["conditions", "return value === threshold", "return value !== threshold"],
  ["conditions", "value !== threshold && presence === ticks_1.present", "value !== threshold"],
  ["conditions", "return presence === ticks_1.missing", "return presence !== ticks_1.present"],
  ["conditions", "return presence === ticks_1.present;", "return presence !== ticks_1.missing;"],
  ["sustain", "tick - since < sustainSecs", "tick - since <= sustainSecs"],
  ["sustain", "tick - since < sustainSecs", "tick - since + interval < sustainSecs"],
  ["sustain", "tick - since < resolveSustainSecs", "tick - since <= resolveSustainSecs"],
  ["sustain", "isActive && tick - since < resolveSustainSecs", "tick - since < resolveSustainSecs"],
  ["sustain", "since = undefined;\n                continue", "continue"],
  ["sustain", "const isHeld = isActive && ", "const isHeld = "],
  ["sustain", "this.#since = since;", ""],
  ["sustain", "this.#firing = firing;", ""],
  ["ticks", "value = sample[1];", "value = Number.isNaN(value) ? sample[1] : value;"],
  ["ticks", "if (time > tick)", "if (time >= tick)"],
  ["ticks", "tick >= known", "true"],
  ["ticks", "Math.ceil(time / interval)", "Math.floor(time / interval)"],
  ["ticks", "this.#index = index;", ""],
  ["overrides", "matchers.every(", "matchers.some("],
  ["overrides", "`^(?:${", "`(?:${"],
  ["overrides", '"isu" : "su"', '"su" : "su"'],
  ["overrides", '?? "") === value', '?? "") !== value'],
  ["simulate", "overrides.find(", "overrides.findLast("],
  ["simulate", "?.conditions ?? defaults", "?.conditions.concat(defaults) ?? defaults"],
  ["simulate", "end = Infinity }) => end > from", "end = Infinity }) => end >= from"],
  ["simulate", "firedAt >= from", "firedAt > from"],
  ["simulate", "tick < to;", "tick < to - interval;"],
  ["simulate", "Math.ceil((to - tick) / interval)", "Math.ceil((to - tick) / interval) + 1"],
  ["simulate", "Math.min(time, knownFrom)", "time"],
  ["grouping", "last.end < start", "last.end <= start"],
  ["grouping", "Math.max(last.end, end)", "end"],
  ["grouping", "delete last.end", "last.end = last.end"],
  ["grouping", "signalPerSeries ? Object.keys(labels) : labelNames", "labelNames"],
  ["schedule", "4 * daySecs", "3 * daySecs"],
  ["schedule", "end > start ? end : end + daySecs", "end"],
  ["schedule", "start: start - weekSecs, end: end - weekSecs", "start, end"],
  ["schedule", 'active === "NEVER" ? [] : [wholeDay]', "[wholeDay]"],
  ["schedule", "Math.min(range.end + toUtc, span.end)", "range.end + toUtc"],
  ["schedule", "flags.fill(0, 0, count)", ""],
  ["zones", "end: change, offset: before", "end: change, offset: after"],
  ["zones", "offset: this.offsetAt(to - 1)", "offset: this.offsetAt(from)"],
  ["zones", "this.offsetAt(middle) === before", "this.offsetAt(middle) !== before"],
  ["notifications", "`${at} ${severity}`", "`${at}`"],
];

const folder = ownFolder();
const require = createRequire(import.meta.url);

describe.skipIf(!isDeep)("faults of the simulation (deep runs only: some tens of them)", () => {
  test("no fault is found in the simulation as it is", () => {
    expect(isFound(simulate)).toBe(false);
  });

  test.each(faults.map((fault, i) => [i, ...fault] as const))(
    "fault %i in %s is found: %s → %s",
    (i, file, text, instead) => {
      const place = join(folder, String(i));
      mkdirSync(place);
      cpSync(join(root, "dist/behaviour"), join(place, "behaviour"), { recursive: true });
      symlinkSync(join(root, "dist/provider"), join(place, "provider"), "dir");
      const path = join(place, "behaviour", `${file}.js`);
      const code = readFileSync(path, "utf8");
      expect(code.split(text), `${file} has this text once`).toHaveLength(2);
      writeFileSync(
        path,
        code.replace(text, () => instead),
      );
      const faulty = require(join(place, "behaviour/simulate.js")) as { readonly simulate: Simulate };
      expect(isFound(faulty.simulate)).toBe(true);
    },
  );
});
