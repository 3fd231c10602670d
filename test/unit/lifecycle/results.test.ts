import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processId } from "../../../dist/provider/lifecycle/objects/processId.js";
import { Results } from "../../../dist/provider/lifecycle/objects/results.js";
import { ownFolder } from "../../support/folders.js";

const passed = { failures: [], warnings: [] };
const rejected = { failures: ["it is wrong"], warnings: [] };
const lost = { failures: [expect.stringContaining("the provider's process ended")], warnings: [] };

/** A provider's process and a class that reads its results. */
function newOperation() {
  const folder = join(ownFolder(), "operation");
  const reader = new Results(folder);
  const resultOf = (instance: string) => {
    reader.read();
    return reader.of(instance);
  };
  return { writer: new Results(folder), resultOf, lines: `${folder}-results` };
}

test("the result of the latest validation of a resource counts, whichever ends last", () => {
  const { writer, resultOf } = newOperation();
  expect(resultOf("1")).toBeUndefined();
  const [first, second] = [writer.begin("1"), writer.begin("1")];
  second(rejected);
  first(passed);
  expect(resultOf("1")).toEqual(rejected);
  expect(resultOf("2")).toBeUndefined();
});

test("a resource that its second check accepts has no failures of the first one", () => {
  const { writer, resultOf } = newOperation();
  writer.decide("1", ["it is wrong"]);
  expect(resultOf("1")).toEqual(rejected);
  writer.decide("1", []);
  expect(resultOf("1")).toEqual(passed);
});

test("a validation whose result can't be written fails", () => {
  const { writer, resultOf, lines } = newOperation();
  const end = writer.begin("1");
  expect(resultOf("1")).toBe("pending");
  rmSync(lines, { recursive: true });
  end(passed);
  expect(resultOf("1")).toEqual(lost);
});

test("a validation of a process that has ended fails, unless it wrote the result before", () => {
  const { resultOf, lines } = newOperation();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  mkdirSync(lines, { mode: 0o700 });
  // Beside the file of a running process, one of an ended process is of this operation.
  const write = (owner: string, ...all: object[]) =>
    all.forEach((line) => appendFileSync(join(lines, `${owner}-1`), `${JSON.stringify(line)}\n`, { mode: 0o600 }));
  write(processId, { instance: "0", result: "pending" });
  write(String(pid), { instance: "1", result: "pending" }, { instance: "2", result: "pending" });
  write(String(pid), { instance: "2", result: rejected });
  expect(resultOf("0")).toBe("pending");
  expect(["1", "2"].map((instance) => resultOf(instance))).toEqual([lost, rejected]);
  expect(readdirSync(lines)).toHaveLength(2);
});
