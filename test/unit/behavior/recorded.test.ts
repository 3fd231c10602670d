import { expect, test } from "vitest";
import { simulate } from "../../../dist/sdk/behavior/simulate.js";
import { seriesOf } from "../../property/behaviors.js";
import { recordings } from "../judge/recorded.js";

test.each(recordings)("as Prometheus does, a monitor $title", ({ situation, firing }) => {
  const { monitor, ticks } = situation;
  const { signals } = simulate(monitor, seriesOf(situation), { from: 0, to: ticks * monitor.intervalSecs });
  const found = signals.map(({ severity, labels, firedAt, resolvedAt = ticks * monitor.intervalSecs }) => {
    const [first, end] = [firedAt, resolvedAt].map((time) => time / monitor.intervalSecs);
    return `${severity} ${Object.values(labels).join(" ")} ${first}-${Number(end) - 1}`;
  });
  expect(found.sort()).toEqual([...firing].sort());
});
