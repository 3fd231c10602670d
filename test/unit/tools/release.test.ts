import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageSchema } from "../../../dist/tools/generate/packageSchema.js";
import { writePlugin } from "../../../tools/plugin-archive.mjs";
import { filesBelow, ownFolder } from "../../support/folders.js";
import { run } from "../../support/run.js";

const root = join(import.meta.dirname, "../../..");

test.for([
  "git+https://github.com/acme/alerts.git",
  "https://github.com/acme/alerts",
  "git@github.com:acme/alerts.git",
  "github:acme/alerts",
])("the schema names the repository %s, and where the engine finds releases and logo there", (repository) => {
  const expected = {
    homepage: "https://github.com/acme/alerts",
    repository: "https://github.com/acme/alerts",
    logoUrl: "https://raw.githubusercontent.com/acme/alerts/v1.2.3/provider/plugin/logo.svg",
    pluginDownloadURL: "github://api.github.com/acme/alerts",
  };
  expect(packageSchema([], { version: "1.2.3", repository })).toMatchObject(expected);
  expect(packageSchema([], { version: "1.2.3", repository: { url: repository } })).toMatchObject(expected);
});

test.for([undefined, "https://git.example.com/github.com/acme/alerts", "https://github.com/acme"])(
  "the schema names no place for the repository %s",
  (repository) => {
    const schema = packageSchema([], { version: "1.2.3", author: "Acme", ...(repository ? { repository } : {}) });
    const given = JSON.parse(JSON.stringify(schema));
    expect(given.publisher).toBe("Acme");
    expect(Object.keys(given).filter((name) => /^(homepage|repository|logoUrl|pluginDownloadURL)$/.test(name))).toEqual(
      [],
    );
  },
);

test("a release replaces no files of others, and takes no option for a folder", async () => {
  const folder = ownFolder({ "notes.txt": "mine" });
  const messageFor = async (...args: readonly string[]) => {
    const { code, text } = await run(process.execPath, [join(root, "tools/release.mjs"), ...args], { cwd: folder });
    expect(code, text).toBe(1);
    return text;
  };
  for (const taken of [folder, join(folder, "notes.txt")])
    expect(await messageFor(taken)).toBe(`"${taken}" already exists. Name a new folder\n`);
  for (const args of [["--help"], ["--if-possible", "new", "newer"]])
    expect(await messageFor(...args)).toBe("usage: npm run release [-- [--if-possible] [<folder>]]\n");
  expect(filesBelow(folder)).toEqual({ "notes.txt": "mine" });
});

test("the released plugin names Node.js if there is none", async () => {
  const folder = ownFolder();
  await writePlugin(folder);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  const { code, stderr } = await run(join(folder, "pulumi-resource-observability"), [], {
    cwd: root,
    env: { PATH: bin },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("pulumi-resource-observability is a Node.js program: install Node.js 20.18.1 or newer");
});
