import { afterEach, expect, test, vi } from "vitest";
import { firstLoadHint } from "../../../dist/sdk/firstLoad.js";

afterEach(() => vi.unstubAllEnvs());

const first = { all: 200, created: 200, organization: "organization" };

test.each([
  ["creates hundreds on a file backend", first, undefined, true],
  ["has few resources", { ...first, all: 199, created: 199 }, undefined, false],
  ["has resources of which some exist", { ...first, all: 201 }, undefined, false],
  ["is of a stack of an organization", { ...first, organization: "team" }, undefined, false],
  ["is of a stack whose owner is not known", { ...first, organization: undefined }, undefined, false],
  ["is run by a program, such as the faster command", first, "true", false],
])("a preview that %s names the faster command only if that helps", (_, seen, automation, isHinted) => {
  vi.stubEnv("PULUMI_AUTOMATION_API", automation);
  expect(firstLoadHint(seen)?.includes("creates 200 resources") ?? false).toBe(isHinted);
});
