import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../dist/sdk/behavior/index.js";
import { isEquivalentInReview, normalForm } from "../../dist/cli/meaning/normalForm.js";
import { monitor } from "../../dist/provider/kinds/monitor.js";
import { runs } from "../support/figures.js";
import { seriesOf, type Situation, situations } from "./behaviors.js";

// The simulation knows nothing of a normal form: both must fire alike.

const { root } = monitor;
type Args = Parameters<typeof simulate>[0];

const firingOf = (args: Args, situation: Situation) =>
  simulate(args, seriesOf(situation), { from: 0, to: situation.ticks * situation.monitor.intervalSecs });

test.each<[string, fc.Arbitrary<Situation>, number]>([
  ["conditions and overrides", situations(false), 6],
  ["conditions, overrides and a schedule", situations(true, fc.constantFrom("UTC", "Etc/UTC", "Europe/Kyiv")), 4],
])("a monitor with %s fires as in its normal form", (_, situation, times) => {
  const property = fc.property(situation, (each) => {
    const { seriesConditions } = each.monitor;
    const plain = firingOf(each.monitor, each);
    expect(firingOf(normalForm(root, each.monitor) as Args, each)).toEqual(plain);
    const overrides = seriesConditions.overrides?.toReversed() ?? [];
    const turned = { ...each.monitor, seriesConditions: { ...seriesConditions, overrides } };
    if (isEquivalentInReview(root, each.monitor, turned)) expect(firingOf(turned, each)).toEqual(plain);
  });
  fc.assert(property, { numRuns: runs(times / 3, times) });
});
