import type uPlot from "uplot";
import type { Behavior } from "../../../sdk/behavior/evaluation";
import type { Condition } from "../../../sdk/types.gen";
import { severities, type Severity } from "../../../sdk/behavior/signals";
import { conditionText } from "../../consequences/conditionText";
import { h } from "./dom";

/** How close to the line of a threshold, in pixels, a drag begins. */
const reach = 12;

/**
 * The fields with which one tries other values of a monitor's condition, and what lets the line of its threshold be dragged.
 * @param simulate Shows what a monitor with these arguments would do, while its line is dragged or at rest, and returns the
 * figures in words.
 */
export function trialOf(behavior: Behavior, simulate: (behavior: Behavior | undefined, isDragged: boolean) => string) {
  const thresholds = thresholdsIn(behavior);
  const options = thresholds.map(({ severity, condition }, i) =>
    h("option", { value: String(i) }, `${severity}: ${conditionText(condition)}`),
  );
  const chosen = h("select", { change: reset }, ...options);
  const threshold = h("input", { type: "number", step: "any", input: () => show() });
  const sustain = h("input", { type: "number", min: "0", step: "1", input: () => show() });
  const result = h("output", { "aria-live": "polite" });
  const code = h("code");
  const element = h(
    "div",
    { class: "trial", hidden: thresholds.length === 0 },
    thresholds.length > 1 && h("label", {}, "Condition", chosen),
    h("label", {}, "Try a threshold", threshold),
    h("label", {}, "for seconds", sustain),
    h("button", { type: "button", click: reset }, "Reset"),
    code,
    result,
  );

  function reset(): void {
    const { value = 0, condition } = thresholds[Number(chosen.value)] ?? {};
    threshold.value = String(value);
    sustain.value = String(condition?.sustainSecs ?? 0);
    show();
  }

  function show(isDragged = false): void {
    const recorded = thresholds[Number(chosen.value)];
    const [value, sustainSecs] = [threshold.valueAsNumber, sustain.valueAsNumber];
    if (recorded === undefined) return;
    const isValid = !Number.isNaN(value) && sustainSecs >= 0;
    const { sustainSecs: recordedSecs = 0 } = recorded.condition;
    const sustained = sustainSecs > 0 || recordedSecs > 0 ? { sustainSecs } : {};
    const condition = { ...recorded.condition, value, ...sustained };
    const isTried = isValid && (value !== recorded.value || sustainSecs !== recordedSecs);
    const figures = simulate(isTried ? withCondition(behavior, recorded, condition) : undefined, isDragged);
    const fields = Object.entries(condition).map(([name, each]) => `${name}: ${JSON.stringify(each)}`);
    const problem = `the ${Number.isNaN(value) ? "threshold is not a number" : "time is not a number of seconds"}`;
    result.textContent = isValid ? figures : problem;
    code.textContent = isValid ? `{ ${fields.join(", ")} }` : "";
  }

  /** Lets the line of the threshold be dragged. */
  function follow(plot: uPlot): void {
    reset();
    const { over } = plot;
    const placeOf = ({ clientY }: PointerEvent | Touch) => clientY - over.getBoundingClientRect().top;
    const isNear = (event: PointerEvent | Touch) =>
      Math.abs(placeOf(event) - plot.valToPos(threshold.valueAsNumber, "y")) < reach;
    over.addEventListener("pointermove", (event) => {
      over.style.cursor = isNear(event) ? "ns-resize" : "";
      if (!over.hasPointerCapture(event.pointerId)) return;
      const { min = 0, max = 1 } = plot.scales.y ?? {};
      const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs((max ?? 1) - (min ?? 0)) || 1)));
      threshold.value = plot.posToVal(placeOf(event), "y").toFixed(Math.min(digits, 12));
      show(true);
    });
    over.addEventListener("pointerdown", (event) => {
      if (isNear(event)) over.setPointerCapture(event.pointerId);
      // A browser captures a touch wherever it begins.
      else over.releasePointerCapture(event.pointerId);
    });
    over.addEventListener("lostpointercapture", () => show());
    // A touch elsewhere scrolls the page.
    const keep = (event: TouchEvent) => [...event.touches].some(isNear) && event.preventDefault();
    over.addEventListener("touchstart", keep, { passive: false });
  }
  return { element, follow };
}

/** The threshold of a condition of a monitor's defaults. */
interface Threshold {
  readonly severity: Severity;
  readonly index: number;
  readonly condition: Condition;
  readonly value: number;
}

const conditionsAt = ({ seriesConditions: { defaults = {} } = {} }: Behavior, severity: Severity) =>
  defaults[severity]?.conditions ?? [];

export const thresholdsIn = (behavior: Behavior) =>
  severities.flatMap((severity) =>
    [...conditionsAt(behavior, severity).entries()].flatMap(([index, condition]): readonly Threshold[] => {
      const { op, value = 0 } = condition;
      return op === undefined || op.endsWith("EXISTS") ? [] : [{ severity, index, condition, value }];
    }),
  );

const withCondition = (behavior: Behavior, { severity, index }: Threshold, condition: Condition): Behavior => {
  const { seriesConditions: { defaults = {}, ...others } = {} } = behavior;
  const conditions = conditionsAt(behavior, severity).map((each, i) => (i === index ? condition : each));
  const changed = { ...defaults, [severity]: { ...defaults[severity], conditions } };
  return { ...behavior, seriesConditions: { ...others, defaults: changed } };
};
