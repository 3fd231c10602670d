import { expect, test } from "vitest";
import { slugFrom } from "../../../dist/provider/schema/names.js";

test.each([
  ["Checkout errors!", "checkout-errors"],
  ["--a__b--", "a__b"],
  ["a/b.c:d", "a-b-c-d"],
  ["日本", ""],
])("the slug of %s is %s", (name, slug) => {
  expect(slugFrom("", name)).toBe(slug);
});

test("a slug prefix is put before, as it is, and makes no slug of nothing", () => {
  expect(slugFrom("Team_A-", "Errors")).toBe("Team_A-errors");
  expect(slugFrom("Team_A-", "!")).toBe("");
});
