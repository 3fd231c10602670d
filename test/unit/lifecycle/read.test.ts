import { expect, test } from "vitest";
import { isDeclaration } from "../../../dist/provider/lifecycle/verbs/read.js";
import { Kind } from "../../../dist/provider/schema/kind.js";
import { string } from "../../../dist/provider/schema/field.js";
import { caseOf } from "../../support/cases.js";

test("a slug alone declares nothing, also of a kind that requires no argument", () => {
  const { kind } = caseOf("Dataset");
  const fields = { team: string("The team.") };
  const made = new Kind({
    ...{ name: "Made", description: "Made.", title: "made", wire: { one: "made", many: "mades" } },
    ...{ described: [], fields, example: { args: {}, wire: {} } },
  });
  for (const each of [kind, made]) expect(isDeclaration(each, { slug: "a" })).toBe(false);
  expect(isDeclaration(made, { slug: "a", team: "b" })).toBe(true);
});
