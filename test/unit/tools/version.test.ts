import { describe, expect, it } from "vitest";
import { isAtLeast, versionIn } from "../../../tools/version.mjs";

describe("a version number", () => {
  it.each([
    ["v3.259.0", "3.259.0"],
    ["v3.220.0-alpha.1+dirty", "3.220.0"],
    ["go version go1.26.8 linux/amd64", "1.26.8"],
    ["go version go1.26 linux/amd64", "1.26.0"],
    ["unknown command", undefined],
  ])("in %j is %j", (text, version) => {
    expect(versionIn(text)).toBe(version);
  });

  it.each([
    ["3.220.0", "3.220.0", true],
    ["3.1000.0", "3.220.0", true],
    ["4.0.0", "3.220.0", true],
    ["3.219.9", "3.220.0", false],
    ["3.99.0", "3.220.0", false],
    ["20.18.0", "20.18.1", false],
  ])("%s is at least %s: %s", (version, minimum, expected) => {
    expect(isAtLeast(version, minimum)).toBe(expected);
  });
});
