import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile, whichCompile } from "../../../tools/compile.mjs";
import { keptLog, temporaryFolder, write } from "./folders";

/** A checkout with one source and a compiler that writes one file. */
function checkout(): string {
  const root = temporaryFolder();
  write(join(root, "tsconfig.json"), "{}");
  write(join(root, "provider/index.ts"), "export {};");
  write(
    join(root, "node_modules/typescript/bin/tsc"),
    `const fs = require("node:fs");
     fs.mkdirSync("dist/provider", { recursive: true });
     fs.writeFileSync("dist/provider/index.js", "compiled");`,
  );
  return root;
}

const names = (root: string) => whichCompile(root).map(({ name }) => name);

async function compileAll(root: string, options: { despiteErrors?: boolean } = {}): Promise<void> {
  for (const project of whichCompile(root)) await compile(project, { root, env: {}, log: keptLog(), ...options });
}

describe("compiling", () => {
  it("is for projects that have sources", () => {
    expect(names(checkout())).toEqual(["provider"]);
  });

  it("is not done again while nothing changes", async () => {
    const root = checkout();
    await compileAll(root);
    expect(names(root)).toEqual([]);
  });

  it.each<[string, (root: string) => void]>([
    ["a source changes", (root) => write(join(root, "provider/index.ts"), "export const a = 1;")],
    ["a source comes", (root) => write(join(root, "sdk/index.ts"), "export {};")],
    ["the settings change", (root) => write(join(root, "tsconfig.json"), '{"compilerOptions":{}}')],
    ["other dependencies are locked", (root) => write(join(root, "package-lock.json"), "{}")],
    ["output is cut short", (root) => write(join(root, "dist/provider/index.js"), "")],
    ["output is gone", (root) => rmSync(join(root, "dist"), { recursive: true })],
  ])("is done again when %s", async (_, change) => {
    const root = checkout();
    await compileAll(root);
    change(root);
    expect(names(root)).toEqual(["provider"]);
  });

  it("makes the package's commands runnable, which npm does only for what it finds compiled", async () => {
    const root = checkout();
    write(join(root, "package.json"), '{"bin":{"a-command":"./dist/provider/index.js"}}');
    await compileAll(root);
    expect(statSync(join(root, "node_modules/.bin/a-command")).mode & 0o111).toBe(0o111);
  });

  it("removes the output of a source that is gone", async () => {
    const root = checkout();
    write(join(root, "provider/old.ts"), "export {};");
    await compileAll(root);
    write(join(root, "dist/provider/old.js"), "compiled");
    rmSync(join(root, "provider/old.ts"));
    await compileAll(root);
    expect(existsSync(join(root, "dist/provider/old.js"))).toBe(false);
    expect(existsSync(join(root, "dist/provider/index.js"))).toBe(true);
  });

  it("that fails says what the compiler says and is done again", async () => {
    const root = checkout();
    write(
      join(root, "node_modules/typescript/bin/tsc"),
      'console.log("provider/index.ts(1,1): error TS1005"); process.exit(2);',
    );
    await expect(compileAll(root)).rejects.toThrow(
      "provider/index.ts(1,1): error TS1005\nunable to compile the provider (tsconfig.json): tsc: exit status 2",
    );
    expect(names(root)).toEqual(["provider"]);
  });

  it("for the generator goes on despite errors, and is done again", async () => {
    const root = checkout();
    write(join(root, "node_modules/typescript/bin/tsc"), "process.exit(2);");
    await compileAll(root, { despiteErrors: true });
    expect(names(root)).toEqual(["provider"]);
  });
});
