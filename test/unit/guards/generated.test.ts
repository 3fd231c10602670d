import { appendFileSync, copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileInto, copyOf, filesIn, node, root } from "./repository.js";

// What is generated, and what it is generated from.
const sources = [
  "dist",
  "provider",
  "sdk",
  "docs",
  "cli/promql",
  "service/src",
  "skills",
  "tools/generate",
  "package.json",
];
const check = (folder: string) => node(folder, join(folder, "dist/tools/generate/main.js"), "--check");

it("generated files match the schema", async () => {
  expect(await check(root)).toMatchObject({ code: 0, text: "" });
});

it("a generated file that is changed, missing or surplus is reported, with the command that fixes it", async () => {
  const copy = copyOf(...sources);
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

it("generation makes the same files if all of them are missing, first those that the code needs", async () => {
  const copy = copyOf(...sources);
  const isGenerated = (path: string) => path.includes(".gen.");
  const generated = () =>
    filesIn(".", copy)
      .filter(isGenerated)
      .map((path) => [path, readFileSync(join(copy, path), "utf8")]);
  const before = generated();
  for (const path of [...filesIn(".", copy), ...filesIn("dist", copy)].filter(isGenerated)) rmSync(join(copy, path));
  const generate = (...options: string[]) => node(copy, "dist/tools/generate/main.js", ...options);
  expect(await generate("--code")).toMatchObject({ code: 0, stderr: "" });
  for (const [path = ""] of generated())
    if (path.endsWith(".ts") && !path.startsWith("service/")) compileInto(copy, path);
  expect(await generate()).toMatchObject({ code: 0, stderr: "" });
  expect(generated()).toEqual(before);
});
