import { appendFileSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyOf, node, root } from "./repository.js";

const check = (folder: string) => node(folder, join(folder, "dist/tools/generate/main.js"), "--check");

it("generated files match the schema", async () => {
  expect(await check(root)).toMatchObject({ code: 0, text: "" });
});

it("a generated file that is changed, missing or surplus is reported, with the command that fixes it", async () => {
  const copy = copyOf("dist", "provider", "sdk", "docs", "package.json");
  const at = (path: string) => join(copy, path);
  appendFileSync(at("sdk/types.gen.ts"), "\n");
  rmSync(at("provider/wire/openapi.gen.json"));
  copyFileSync(at("docs/kinds/monitor.gen.md"), at("docs/kinds/another.gen.md"));
  const { code, text } = await check(copy);
  expect(code).toBe(1);
  expect(text.trimEnd().split("\n").sort()).toEqual([
    "docs/kinds/another.gen.md is generated from nothing",
    "provider/wire/openapi.gen.json is not what the schema says",
    "run: npm run generate",
    "sdk/types.gen.ts is not what the schema says",
  ]);
});
