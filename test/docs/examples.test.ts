import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { newStack } from "../support/engine.js";
import { ownService } from "../support/service.js";
import { blocksIn, programOf } from "./pages.js";

const kindPages = readdirSync(join(import.meta.dirname, "../../docs/kinds")).map((name) => `docs/kinds/${name}`);

const pages = [...kindPages, "README.md"].flatMap((page) =>
  blocksIn(page)
    .filter(({ language }) => language === "ts")
    .map(({ text }, i) => [`${page}, program ${i + 1}`, text] as const),
);

test("every kind's page has a program", () => {
  expect(pages.filter(([page]) => page.startsWith("docs/kinds"))).toHaveLength(kinds.length);
});

test.each(pages)("%s compiles and is created", async (_, code) => {
  const service = await ownService();
  const stack = await newStack(service.url);
  await stack.setConfig("routingKey", "a-key", true);
  const { failed, text } = await stack.up(programOf(code));
  expect(failed, text).toBe(false);
});
