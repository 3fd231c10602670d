import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { causes } from "../../../service/dist/errors.js";

test("every cause has a code of its own that begins with its status", () => {
  const codes = Object.values(causes).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { status, code } of Object.values(causes)) expect(String(code)).toMatch(new RegExp(`^${status}`));
});

test("the README tells every code", () => {
  const readme = readFileSync(new URL("../../../service/README.md", import.meta.url), "utf8");
  for (const { status, code } of Object.values(causes))
    expect(readme).toMatch(new RegExp(`^\\| ${code} +\\| ${status} +\\|`, "m"));
});
