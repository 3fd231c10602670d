import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { install, whyInstall } from "../../../tools/dependencies.mjs";
import { keptLog, script, temporaryFolder, write } from "./folders";

const zod = { version: "4.0.0", integrity: "sha512-a" };
const otherPlatform = { version: "1.0.0", integrity: "sha512-b", optional: true };

/** A checkout with one installed dependency and one that is for another platform. */
function checkout(): string {
  const root = temporaryFolder();
  write(join(root, "package.json"), JSON.stringify({ dependencies: { zod: "^4" }, scripts: { test: "x" } }));
  const packages = {
    "": { dependencies: { zod: "^4" } },
    "node_modules/zod": zod,
    "node_modules/fsevents": otherPlatform,
  };
  write(join(root, "package-lock.json"), JSON.stringify({ packages }));
  write(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages: { "node_modules/zod": zod } }));
  write(join(root, "node_modules/zod/package.json"), "{}");
  return root;
}

describe("the dependencies", () => {
  it("are left alone when node_modules is what the lock asks for", () => {
    expect(whyInstall(checkout())).toBeUndefined();
  });

  it("are left alone when package.json changed in nothing that is installed", () => {
    const root = checkout();
    write(join(root, "package.json"), JSON.stringify({ dependencies: { zod: "^4" }, scripts: { test: "y" } }));
    expect(whyInstall(root)).toBeUndefined();
  });

  it.each<[string, string, (root: string) => void]>([
    [
      "there is no node_modules",
      "node_modules is missing or half-done",
      (root) => rmSync(join(root, "node_modules"), { recursive: true }),
    ],
    [
      "an install was cut short",
      "node_modules is missing or half-done",
      (root) => rmSync(join(root, "node_modules/.package-lock.json")),
    ],
    [
      "a package is gone",
      "node_modules/zod is missing",
      (root) => rmSync(join(root, "node_modules/zod"), { recursive: true }),
    ],
    [
      "the lock asks for another version",
      "node_modules/zod is not at 4.1.0",
      (root) =>
        write(
          join(root, "package-lock.json"),
          JSON.stringify({
            packages: { "": { dependencies: { zod: "^4" } }, "node_modules/zod": { ...zod, version: "4.1.0" } },
          }),
        ),
    ],
    [
      "package.json asks for something else",
      "package.json has changed",
      (root) => write(join(root, "package.json"), JSON.stringify({ dependencies: { zod: "^5" } })),
    ],
  ])("are installed when %s", (_, why, change) => {
    const root = checkout();
    change(root);
    expect(whyInstall(root)).toBe(why);
  });

  it.skipIf(process.platform === "win32")("tell npm's own words when they cannot be installed", async () => {
    const root = temporaryFolder();
    const bin = join(root, "bin");
    mkdirSync(bin);
    script(
      join(bin, "npm"),
      'echo "npm error code ENOTFOUND" >&2',
      'echo "npm error A complete log of this run can be found in: x" >&2',
      "exit 1",
    );
    const failure = await install({ root, env: { PATH: bin }, log: keptLog(), why: "a test says so" }).catch(
      (error) => error,
    );
    expect(failure.message.split("\n")).toEqual([
      "unable to install the dependencies: npm ci: exit status 1",
      "  code ENOTFOUND",
      "check the network and npm's registry setting (npm config get registry), then run this again",
    ]);
  });
});
