import type uPlot from "uplot";
import type { Behavior } from "../../../sdk/behavior/evaluation";
import type { Condition } from "../../../sdk/types.gen";
import { severities, type Severity } from "../../../sdk/behavior/signals";
import { conditionText } from "../../consequences/conditionText";
import { h } from "./dom";

/** How close to the line of a threshold, in pixels, a drag begins. */
const reach = 12;

/** The fields with which one tries other values of a monitor's condition. The line of its threshold can be dragged too. */
export class Trial {
  readonly element: HTMLElement;
  readonly #condition: HTMLSelectElement;
  readonly #value = h("input", { type: "number", step: "any", input: () => this.#show() });
  readonly #sustain = h("input", { type: "number", min: "0", step: "1", input: () => this.#show() });
  readonly #result = h("output", { "aria-live": "polite" });
  readonly #code = h("code");
  readonly #thresholds: readonly Threshold[];

  /**
   * @param simulate Shows what a monitor with these arguments would do, while its line is dragged or at rest, and
   * returns the figures in words.
   */
  constructor(
    private readonly behavior: Behavior,
    private readonly simulate: (behavior: Behavior | undefined, isDragged: boolean) => string,
  ) {
    this.#thresholds = thresholdsIn(behavior);
    const options = this.#thresholds.map(({ severity, condition }, i) =>
      h("option", { value: String(i) }, `${severity}: ${conditionText(condition)}`),
    );
    this.#condition = h("select", { change: () => this.#reset() }, ...options);
    this.element = h(
      "div",
      { class: "trial", hidden: this.#thresholds.length === 0 },
      this.#thresholds.length > 1 && h("label", {}, "Condition", this.#condition),
      h("label", {}, "Try a threshold", this.#value),
      h("label", {}, "for seconds", this.#sustain),
      h("button", { type: "button", click: () => this.#reset() }, "Reset"),
      this.#code,
      this.#result,
    );
  }

  /** Lets the line of the threshold be dragged. */
  follow(plot: uPlot): void {
    this.#reset();
    const { over } = plot;
    const placeOf = ({ clientY }: PointerEvent | Touch) => clientY - over.getBoundingClientRect().top;
    const isNear = (event: PointerEvent | Touch) =>
      Math.abs(placeOf(event) - plot.valToPos(this.#value.valueAsNumber, "y")) < reach;
    over.addEventListener("pointermove", (event) => {
      over.style.cursor = isNear(event) ? "ns-resize" : "";
      if (!over.hasPointerCapture(event.pointerId)) return;
      const { min = 0, max = 1 } = plot.scales.y ?? {};
      const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs((max ?? 1) - (min ?? 0)) || 1)));
      this.#value.value = plot.posToVal(placeOf(event), "y").toFixed(Math.min(digits, 12));
      this.#show(true);
    });
    over.addEventListener("pointerdown", (event) => {
      if (isNear(event)) over.setPointerCapture(event.pointerId);
      // A browser captures a touch wherever it begins.
      else over.releasePointerCapture(event.pointerId);
    });
    over.addEventListener("lostpointercapture", () => this.#show());
    // A touch elsewhere scrolls the page.
    const keep = (event: TouchEvent) => [...event.touches].some(isNear) && event.preventDefault();
    over.addEventListener("touchstart", keep, { passive: false });
  }

  get #threshold(): Threshold | undefined {
    return this.#thresholds[Number(this.#condition.value)];
  }

  #reset(): void {
    const { value = 0, condition } = this.#threshold ?? {};
    this.#value.value = String(value);
    this.#sustain.value = String(condition?.sustainSecs ?? 0);
    this.#show();
  }

  #show(isDragged = false): void {
    const recorded = this.#threshold;
    const [value, sustainSecs] = [this.#value.valueAsNumber, this.#sustain.valueAsNumber];
    if (recorded === undefined) return;
    const isValid = !Number.isNaN(value) && sustainSecs >= 0;
    const { sustainSecs: recordedSecs = 0 } = recorded.condition;
    const sustain = sustainSecs > 0 || recordedSecs > 0 ? { sustainSecs } : {};
    const condition = { ...recorded.condition, value, ...sustain };
    const isTried = isValid && (value !== recorded.value || sustainSecs !== recordedSecs);
    const figures = this.simulate(isTried ? withCondition(this.behavior, recorded, condition) : undefined, isDragged);
    const fields = Object.entries(condition).map(([name, each]) => `${name}: ${JSON.stringify(each)}`);
    const problem = `the ${Number.isNaN(value) ? "threshold is not a number" : "time is not a number of seconds"}`;
    this.#result.textContent = isValid ? figures : problem;
    this.#code.textContent = isValid ? `{ ${fields.join(", ")} }` : "";
  }
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
