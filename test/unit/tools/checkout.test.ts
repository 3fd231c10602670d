import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile, installMissing } from "../../../tools/checkout.mjs";
import { keptLog, script, write } from "./folders";
import { ownFolder } from "../../support/folders";

const zod = { version: "4.0.0" };
const lock = (version: string) =>
  JSON.stringify({
    packages: {
      "": { dependencies: { zod: "^4" } },
      "node_modules/zod": { version },
      "node_modules/fsevents": { version: "1.0.0", optional: true },
    },
  });

/** A checkout with one installed dependency and one that is for another platform, and an npm that notes its calls. */
function installed(...npm: string[]) {
  const root = ownFolder();
  write(join(root, "package-lock.json"), lock("4.0.0"));
  write(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages: { "node_modules/zod": zod } }));
  write(join(root, "node_modules/zod/package.json"), "{}");
  script(join(root, "bin/npm"), `echo "$1" > ${root}/called`, ...npm);
  const log = keptLog();
  return { root, log, env: { PATH: join(root, "bin") } };
}

describe.skipIf(process.platform === "win32")("the dependencies", () => {
  it("are left alone when node_modules is what the lock asks for", async () => {
    const checkout = installed();
    await installMissing(checkout);
    expect(checkout.log.lines).toEqual([]);
    expect(existsSync(join(checkout.root, "called"))).toBe(false);
  });

  it.each<[string, (root: string) => void]>([
    ["there is no node_modules", (root) => rmSync(join(root, "node_modules"), { recursive: true })],
    ["an install was cut short", (root) => rmSync(join(root, "node_modules/.package-lock.json"))],
    ["a package is gone", (root) => rmSync(join(root, "node_modules/zod"), { recursive: true })],
    ["the lock asks for another version", (root) => write(join(root, "package-lock.json"), lock("4.1.0"))],
  ])("are installed when %s", async (_, change) => {
    const checkout = installed();
    change(checkout.root);
    await installMissing(checkout);
    expect(checkout.log.lines).toEqual([
      "installing the dependencies, because node_modules is not what package-lock.json asks for (node_modules/zod)",
    ]);
    expect(readFileSync(join(checkout.root, "called"), "utf8")).toBe("ci\n");
  });

  it("that cannot be installed end the command with what to look at", async () => {
    const checkout = installed("exit 1");
    rmSync(join(checkout.root, "node_modules"), { recursive: true });
    await expect(installMissing(checkout)).rejects.toThrow(
      "unable to install the dependencies: npm ci: exit status 1\ncheck the network",
    );
  });
});

/** A checkout with two projects and the compiler of this one. */
function sources() {
  const root = ownFolder();
  const compilerOptions = { incremental: true, tsBuildInfoFile: "dist/.tsbuildinfo", outDir: "dist" };
  const quick = { lib: ["es5"], types: [], skipLibCheck: true };
  const project = (folder: string, rootDir: string, include: string) =>
    write(
      join(root, folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...quick, rootDir }, include: [include] }),
    );
  project(".", ".", "cli");
  project("service", "src", "src");
  write(join(root, "cli/main.ts"), "export const a = 1;");
  write(join(root, "cli/old.ts"), "export {};");
  write(join(root, "service/src/main.ts"), "export {};");
  const typescript = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
  write(join(root, "node_modules/typescript/bin/tsc"), `require(${JSON.stringify(typescript)});`);
  write(join(root, "node_modules/.bin/other"), "");
  return { root, log: keptLog(), env: {} };
}

describe("compiling", () => {
  it("follows the sources, makes the command runnable, and restores a folder of output that is gone", async () => {
    const checkout = sources();
    const at = (path: string) => join(checkout.root, path);
    await compile(checkout);
    expect(statSync(at("node_modules/.bin/pulumi-observability")).mode & 0o111).toBe(0o111);

    write(at("cli/main.ts"), "export const a = 2;");
    rmSync(at("cli/old.ts"));
    rmSync(at("service/dist"), { recursive: true });
    await compile(checkout);
    expect(readFileSync(at("dist/cli/main.js"), "utf8")).toContain("a = 2");
    expect(existsSync(at("dist/cli/old.js"))).toBe(false);
    expect(existsSync(at("service/dist/main.js"))).toBe(true);
  });

  it("that fails says what the compiler says, each time, but goes on for the generator", async () => {
    const checkout = sources();
    write(join(checkout.root, "cli/main.ts"), 'export const a: number = "";');
    const failure = /cli\/main\.ts\(1,14\): error TS2322.*\nunable to compile: tsc: exit status \d/s;
    await expect(compile(checkout)).rejects.toThrow(failure);
    await expect(compile(checkout)).rejects.toThrow(failure);
    await compile({ ...checkout, despiteErrors: true });
    expect(existsSync(join(checkout.root, "dist/cli/main.js"))).toBe(true);
  });
});
