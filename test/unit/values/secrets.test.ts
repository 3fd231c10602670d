import { expect, test } from "vitest";
import { cutBytes } from "../../../dist/provider/lifecycle/notes/explain.js";
import { list, map, object, shape, string } from "../../../dist/provider/schema/field.js";
import { markedTexts, secretTexts, withoutSecrets, withSecretsMarked } from "../../../dist/provider/values/secrets.js";
import { redactSecrets } from "../../../dist/provider/base/redact.js";
import { monitor } from "../../../dist/provider/kinds/monitor.js";
import { notifier } from "../../../dist/provider/kinds/notifier.js";
import { shownIn } from "../../model/secrets.js";
import { plain } from "../../support/plain.js";

test("every secret of a configuration is found, at any depth", () => {
  const args = {
    oncallB: { routingKey: "one", severity: "high", httpConfig: { basicAuth: { username: "u", password: "two" } } },
    webhook: { url: "https://three" },
  };
  expect(secretTexts(notifier.root, args)).toEqual(["one", "two", "https://three"]);
});

test("a marked number is found in the forms in which a service may print it", () => {
  const texts = markedTexts(monitor.root, { intervalSecs: 731000 }, [["intervalSecs"]]);
  for (const quoted of ["731000", "731000.0"])
    expect(redactSecrets(`got ${quoted}`, texts)).toMatch(/^got \[secret\](\.0)?$/);
});

test("secrets in lists and maps are found, left out and marked for the engine like others", () => {
  const root = object(
    shape("Root", "", {
      tokens: list(string("", { secret: "value" }), ""),
      headers: map("", { secret: "value" }),
      labels: map(""),
    }),
  );
  const value = { tokens: ["secret-1", "secret-2"], headers: { a: "secret-3" }, labels: { a: "b" } };
  expect(secretTexts(root, value)).toEqual(["secret-1", "secret-2", "secret-3"]);
  expect(withoutSecrets(root, value)).toEqual({ tokens: [], labels: { a: "b" } });
  const marked = withSecretsMarked(root, value);
  expect(shownIn(marked)).toEqual([]);
  expect(plain(marked)).toEqual(value);
});

test("a text is cut well-formed, in bytes", () => {
  expect(cutBytes("ab😀", 4)).toBe("ab…");
  expect(cutBytes("a\ud800b", 10)).toBe("a\ufffdb");
  expect(cutBytes("short", 5)).toBe("short");
});
