import { createRequire } from "node:module";
import * as obs from "pulumi-observability";
import { expect, onTestFinished, test } from "vitest";
import { mocks, valueOf } from "../../support/mocks.js";

const require = createRequire(import.meta.url);

const prepare = async (name: string, { Monitor } = obs) => {
  await mocks();
  await valueOf(new Monitor(name, { labelQuery: "up" }).urn);
};

test("a program's own stacks go through its source maps, and those of the SDK's promises do not", async () => {
  const { prepareStackTrace } = Error;
  onTestFinished(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });
  const makers = new Set<string | null | undefined>();
  // As ts-node's, which maps every frame.
  Error.prepareStackTrace = (error, frames) => {
    makers.add(frames[0]?.getFunctionName());
    return `mapped ${String(error)}`;
  };
  await prepare("first");
  function ownFunction() {
    return new Error("of the program");
  }
  expect(ownFunction().stack).toBe("mapped Error: of the program");
  expect(makers).toContain("ownFunction");
  expect(makers).not.toContain("debuggablePromise");
  // The hook that there is stays the only one, however many resources there are.
  const hook = Error.prepareStackTrace;
  await prepare("second");
  expect(Error.prepareStackTrace).toBe(hook);
  // Also if another package brings a copy of its own.
  for (const path of Object.keys(require.cache))
    if (path.includes("/dist/sdk/")) Reflect.deleteProperty(require.cache, path);
  const copy = require("pulumi-observability") as typeof obs;
  expect(copy.Monitor).not.toBe(obs.Monitor);
  await prepare("third", copy);
  expect(Error.prepareStackTrace).toBe(hook);
});

test("without a formatter, none is left behind", async () => {
  const { prepareStackTrace } = Error;
  onTestFinished(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });
  Reflect.deleteProperty(Error, "prepareStackTrace");
  await prepare("plain");
  expect(Error.prepareStackTrace).toBeUndefined();
});
