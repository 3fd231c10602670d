import { appendFileSync, copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileInto, copyOf, filesIn, node, root } from "./repository.js";

const check = (folder: string) => node(folder, join(folder, "dist/tools/generate/main.js"), "--check");

const command = "npm run generate";

it("generated files match the schema", async () => {
  expect(await check(root)).toMatchObject({ code: 0, text: "" });
});

it.each([
  ["changed", "is not what the schema says", (path: string) => appendFileSync(path, "\n")],
  ["missing", "is not what the schema says", (path: string) => rmSync(path)],
  [
    "surplus",
    "is generated from nothing",
    (path: string) => copyFileSync(path, path.replace(/\w+\.gen/, "another.gen")),
  ],
] as const)("a generated file that is %s is reported, with the command that fixes it", async (how, words, spoil) => {
  const copy = copyOf("dist", "provider", "sdk", "docs", "package.json");
  const files = ["sdk/types.gen.ts", "docs/kinds/monitor.gen.md", "provider/wire/openapi.gen.json"];
  for (const path of files) spoil(join(copy, path));
  const named = files.map((path) => (how === "surplus" ? path.replace(/\w+\.gen/, "another.gen") : path));
  const { code, text } = await check(copy);
  expect(code).toBe(1);
  expect(text.trimEnd().split("\n").sort()).toEqual(
    [...named.map((path) => `${path} ${words}`), `run: ${command}`].sort(),
  );
});

it("generation makes the same files if all of them are missing, first those that the code needs", async () => {
  const copy = copyOf("dist", "provider", "sdk", "docs", "package.json");
  const isGenerated = (path: string) => path.includes(".gen.");
  const generated = () =>
    filesIn(".", copy)
      .filter(isGenerated)
      .map((path) => [path, readFileSync(join(copy, path), "utf8")]);
  const before = generated();
  for (const path of [...filesIn(".", copy), ...filesIn("dist", copy)].filter(isGenerated)) rmSync(join(copy, path));
  const generate = (...options: string[]) => node(copy, "dist/tools/generate/main.js", ...options);
  expect(await generate("--code")).toMatchObject({ code: 0, stderr: "" });
  for (const [path = ""] of generated()) if (path.endsWith(".ts")) compileInto(copy, path);
  expect(await generate()).toMatchObject({ code: 0, stderr: "" });
  expect(generated()).toEqual(before);
});
