import { expect, test } from "vitest";
import { secretTexts, strikeSecrets } from "../../../dist/provider/lifecycle/secrets.js";
import { notifier } from "../../../dist/provider/kinds/notifier.js";

test("every secret of a configuration is found, at any depth", () => {
  const args = {
    oncallB: { routingKey: "one", severity: "high", httpConfig: { basicAuth: { username: "u", password: "two" } } },
    webhook: { url: "https://three" },
  };
  expect(secretTexts(notifier.root, args)).toEqual(["one", "two", "https://three"]);
});

test("secrets are struck out, longer ones first", () => {
  expect(strikeSecrets("abc-key and abc-key-long", ["abc-key", "abc-key-long"])).toBe("[secret] and [secret]");
});
