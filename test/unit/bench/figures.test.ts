import { describe, expect, it } from "vitest";
import { cpuOf, median, perResource, ratio } from "../../../bench/figures.mjs";
import { withFigures } from "../../../bench/page.mjs";
import { roleOf } from "../../../bench/processes.mjs";
import { stepsIn } from "../../../bench/project.mjs";
import { atMost, exactly } from "../../../bench/result.mjs";
import { interleave } from "../../../bench/rounds.mjs";
import { judged } from "../../../bench/table.mjs";

describe("figures", () => {
  it("takes the value in the middle, or between the two", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it("compares within each round, so that a slow round changes nothing", () => {
    expect(ratio([11, 110, 12], [10, 100, 10])).toBeCloseTo(1.1);
  });

  it("has no ratio where something was not measured", () => {
    expect(ratio([1, undefined], [1, 1])).toBeUndefined();
    expect(cpuOf({ wallSeconds: 1, requests: 0, uses: undefined })).toBeUndefined();
  });

  it("leaves the cost of a run of one resource out of the cost per resource", () => {
    expect(perResource({ resources: 301, cost: 5 }, 2)).toBeCloseTo(0.01);
    expect(perResource({ resources: 301, cost: undefined }, 2)).toBeUndefined();
  });
});

describe("a row", () => {
  it("holds up to its bound", () => {
    expect(atMost("cost", 1.25, 1.25)).toEqual({ name: "cost", value: 1.25, bound: 1.25, holds: true });
    expect(atMost("cost", 1.2501, 1.25).holds).toBe(false);
  });

  it("holds where every round's count is right, and shows one that is not", () => {
    expect(exactly("requests", [5, 5], 5)).toMatchObject({ value: 5, holds: true });
    expect(exactly("requests", [5, 4], 5)).toMatchObject({ value: 4, holds: false });
  });

  it("says nothing of its bound where nothing was measured", () => {
    expect(atMost("cost", undefined, 1)).toMatchObject({ value: null, holds: null });
  });

  it("fits into 80 columns", () => {
    const rows = [atMost("client alone, limited service: wall / what the limit needs", 1.234, 1.15)];
    for (const line of judged(rows).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe("rounds", () => {
  it("turn the order of the sides", async () => {
    const order: string[] = [];
    const run = async (side: string) => void order.push(side);
    await interleave({ ours: "o", floor: "f", plain: "p" }, 3, run);
    expect(order.join("")).toBe("ofpfpopof");
  });
});

describe("what is read off the engine", () => {
  it("tells the steps of its summary, and nothing from before it", () => {
    const lines = [
      " +  pulumi:pulumi:Stack create",
      "    7 unchanged",
      "Resources:",
      "    ~ 3 to update",
      "    1 unchanged",
    ];
    expect(stepsIn(lines)).toEqual({ update: 3, same: 1 });
    expect(stepsIn(["Resources:", "    + 1001 created", "", "Duration: 8s"])).toEqual({ create: 1001 });
  });

  it.each([
    ["/bin/pulumi preview --non-interactive", "engine"],
    ["node /p/node_modules/@pulumi/pulumi/cmd/run --monitor 127.0.0.1:1 .", "program"],
    ["/bin/sh /bin/pulumi-resource-pulumi-nodejs 127.0.0.1:1", "provider"],
    ["node /p/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js 127.0.0.1:1", "provider"],
    ["/bin/pulumi-language-nodejs 127.0.0.1:1", undefined],
  ])("%s is the %s", (commandLine, role) => {
    expect(roleOf(commandLine)).toBe(role);
  });
});

it("a bench's figures replace those of its own section, or come last", () => {
  const page = "what it is\n\n## up\n\nold\n\n## start\n\nold\n";
  const up = "## up\n\n```text\nnew\n\nrow\n```\n";
  expect(withFigures(page, "up", "new\n\nrow")).toBe(`what it is\n\n${up}\n## start\n\nold\n`);
  expect(withFigures("what it is\n", "up", "new\n\nrow")).toBe(`what it is\n\n${up}`);
});
