import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compile } from "../../../tools/checkout.mjs";
import { createLog } from "../../../tools/log.mjs";
import { ownFolder, writeFiles } from "../../support/folders";

it("a build follows its sources: what is stale or was deleted is built again, and what has no source goes", async () => {
  const compilerOptions = { incremental: true, tsBuildInfoFile: "dist/.tsbuildinfo", outDir: "dist", lib: ["es5"] };
  const project = (rootDir: string, folder: string) =>
    JSON.stringify({ compilerOptions: { ...compilerOptions, types: [], rootDir }, include: [folder] });
  const typescript = join(import.meta.dirname, "../../../node_modules/typescript-native/bin/tsc");
  const root = ownFolder({
    "package.json": JSON.stringify({ bin: { "pulumi-observability": "./dist/cli/main.js" } }),
    "tsconfig.json": project(".", "cli"),
    "service/tsconfig.json": project("src", "src"),
    "cli/main.ts": "export const a = 1;",
    "cli/old.ts": "export {};",
    "service/src/main.ts": "export {};",
    "node_modules/typescript-native/bin/tsc": `require(${JSON.stringify(typescript)});`,
    "node_modules/.bin/other": "",
  });
  const at = (path: string) => join(root, path);
  const checkout = { root, log: createLog({ write: () => undefined }) };
  await compile(checkout);
  expect(statSync(at("node_modules/.bin/pulumi-observability")).mode & 0o111).toBe(0o111);

  writeFiles(root, { "cli/main.ts": "export const a = 2;" });
  rmSync(at("cli/old.ts"));
  rmSync(at("service/dist"), { recursive: true });
  await compile(checkout);
  expect(readFileSync(at("dist/cli/main.js"), "utf8")).toContain("a = 2");
  expect(existsSync(at("dist/cli/old.js"))).toBe(false);
  expect(existsSync(at("service/dist/main.js"))).toBe(true);

  writeFiles(root, { "cli/main.ts": 'export const a: number = "";' });
  await expect(compile(checkout)).rejects.toThrow(/cli\/main\.ts\(1,14\): error TS2322.*\nunable to compile/s);
});
