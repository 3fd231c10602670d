import { afterEach, expect, test, vi } from "vitest";
import { firstLoadHint } from "../../../dist/sdk/firstLoad.js";

afterEach(() => vi.unstubAllEnvs());

const first = { all: 200, created: 200, organization: "organization" };

test("a preview that creates hundreds on a file backend names the faster command", () => {
  vi.stubEnv("PULUMI_AUTOMATION_API", undefined);
  expect(firstLoadHint(first)).toContain("200 resources are to be created");
});

test.each([
  ["few resources", { ...first, all: 199, created: 199 }],
  ["resources of which some exist", { ...first, all: 201 }],
  ["a stack of an organization", { ...first, organization: "team" }],
  ["a stack whose owner is not known", { ...first, organization: undefined }],
])("one of %s does not", (_, seen) => {
  vi.stubEnv("PULUMI_AUTOMATION_API", undefined);
  expect(firstLoadHint(seen)).toBeUndefined();
});

test("nor does one that a program runs, such as that command", () => {
  vi.stubEnv("PULUMI_AUTOMATION_API", "true");
  expect(firstLoadHint(first)).toBeUndefined();
});
