import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { bearers, mark, secretPlaces } from "./canaries.js";
import { hitIn } from "./scan.js";

const sdk = join(import.meta.dirname, "../../sdk");

test("every secret place of the schema holds a canary, and so does every place that a generated class encrypts", () => {
  const held = [...new Set(bearers().flatMap(({ kind, places }) => places.map((place) => `${kind.name}.${place}`)))];
  expect(held.sort()).toEqual([...secretPlaces].sort());
  const encrypted = kinds.flatMap(({ name }) => {
    const file = join(sdk, `${name === "SLO" ? "slo" : name.charAt(0).toLowerCase() + name.slice(1)}.gen.ts`);
    const [, list = ""] = readFileSync(file, "utf8").match(/secrets: \[(.*)\]/) ?? [];
    return [...list.matchAll(/"([^"]+)"/g)].map(([, path]) => `${name}.${path}`);
  });
  expect(encrypted.sort()).toEqual([...secretPlaces].sort());
});

test.each<[string, (text: string) => string]>([
  ["in clear", (text) => text],
  ["in base64", (text) => Buffer.from(text).toString("base64")],
  ["in base64 behind one more byte", (text) => Buffer.from(`a${text}`).toString("base64")],
  ["in base64 behind two more bytes", (text) => Buffer.from(`ab${text}`).toString("base64url")],
  ["in hexadecimal", (text) => Buffer.from(text).toString("hex")],
  ["the first half of it", (text) => text.slice(0, text.length / 2)],
  ["the second half of it", (text) => text.slice(text.length / 2)],
])("the scan finds a canary %s", (_, form) => {
  const text = JSON.stringify(bearers()[0]?.args);
  const secret = text.slice(text.indexOf(mark), text.lastIndexOf(mark) + mark.length);
  expect(hitIn("a text", `before ${form(secret)} after`)).toBeDefined();
  expect(hitIn("a text", "before and after")).toBeUndefined();
});
