import { expect, test } from "vitest";
import { simulate } from "../../../dist/sdk/behavior/simulate.js";
import { foundFiring, recordings } from "../judge/recorded.js";

test.each(recordings)("as Prometheus does, a monitor $title", (recorded) => {
  expect(foundFiring(simulate, recorded)).toEqual([...recorded.firing].sort());
});
