import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { deepDescribe } from "../support/figures.js";
import { ownFolder } from "../support/folders.js";
import { ownService, token } from "../support/service.js";
import { encrypted, makeStack } from "../support/stacks.js";
import { esmProgram, expectPreview, make, type Preview, pulumiIn, validatedBy } from "./consumer.js";
import { readManifest, root, run } from "./manifest.js";

const { version } = readManifest(root);
const missing = { python: process.env.TEST_NO_PYTHON, go: process.env.TEST_NO_GO };
const release = join(ownFolder(), "release");
const at = (file: string) => join(release, file);
const pluginArchive = `pulumi-resource-observability-v${version}-linux-amd64.tar.gz`;

/** Makes a release as `npm run release` does, from another folder than the checkout. */
async function makeRelease(folder: string, umask: string, timeZone: string): Promise<void> {
  const options = missing.python === undefined && missing.go === undefined ? "" : "--if-possible";
  const command = `umask ${umask} && exec node "${join(root, "tools/release.mjs")}" "${folder}" ${options}`;
  await run(ownFolder(), ["sh", "-c", command], { TZ: timeZone });
}

/** A copy of an example in a folder of its own, which names no plugin. */
function exampleIn(language: string): string {
  const place = ownFolder();
  cpSync(join(root, "examples", language), place, { recursive: true });
  const settings = readFileSync(join(place, "Pulumi.yaml"), "utf8");
  writeFileSync(join(place, "Pulumi.yaml"), settings.replace(/^plugins:\n(?: .*\n)+/m, ""));
  return place;
}

/** Previews an example with an empty home, into which only the plugin's archive is installed. */
async function expectExample(language: string, created: number, more: Readonly<NodeJS.ProcessEnv> = {}): Promise<void> {
  const place = exampleIn(language);
  const service = await ownService();
  // `npm test` has the plugin of this checkout on PATH.
  const own = {
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: token,
    PULUMI_IGNORE_AMBIENT_PLUGINS: "1",
  };
  const env = { ...pulumiIn(place), ...own, ...more };
  const install = ["pulumi", "plugin", "install", "resource", "observability", version, "--file"] as const;
  await run(place, [...install, at(pluginArchive)], env);
  const folders = { backend: join(place, "backend"), home: join(place, "home"), project: place };
  makeStack(folders, "dev", { "checkout:routingKey": encrypted("key") });
  const printed = await run(place, ["pulumi", "preview", "--json", "--non-interactive"], env);
  expect((JSON.parse(printed) as Preview).changeSummary).toEqual({ create: created });
  expect(validatedBy(service)).toBeGreaterThan(5);
}

deepDescribe("a release", () => {
  beforeAll(() => makeRelease(release, "022", "UTC"));

  it("is the same bytes with another umask, in another time zone, and has the checksums of all its files", async () => {
    const again = join(ownFolder(), "again");
    await makeRelease(again, "002", "Asia/Tokyo");
    const files = readdirSync(release).filter((file) => file !== "SHA256SUMS");
    const sumIn = (folder: string) => (file: string) =>
      `${createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex")}  ${file}\n`;
    const sums = readFileSync(at("SHA256SUMS"), "utf8");
    expect(files.map(sumIn(release)).join("")).toBe(sums);
    expect(files.map(sumIn(again)).join("")).toBe(sums);
    expect(files).toHaveLength(8 + (missing.python === undefined ? 1 : 0) + (missing.go === undefined ? 1 : 0));
  });

  it("lists in its SBOM all packages whose code the plugin's archive contains", async () => {
    const licenses = await run(release, ["tar", "-xzOf", at(pluginArchive), "THIRD-PARTY-LICENSES"]);
    const contained = [...licenses.matchAll(/^(\S+ \d+\.\d+\.\d+), license: /gm)].map(([, each]) => each);
    const { components } = JSON.parse(readFileSync(at(`pulumi-observability-${version}.cdx.json`), "utf8"));
    const listed = components.map((each: Readonly<Record<string, string>>) => `${each.name} ${each.version}`);
    expect(contained).toContain("@grpc/grpc-js 1.14.7");
    expect(listed).toEqual(expect.arrayContaining(contained));
  });

  it("has a package for npm whose program previews every kind", async () => {
    const place = ownFolder();
    await make(place, "npm", esmProgram, at(`pulumi-observability-${version}.tgz`));
    await expectPreview(place);
  });

  it("has a plugin with which a YAML program needs neither npm nor a plugin's folder", () => expectExample("yaml", 11));

  it("has a wheel with which a Python program needs neither npm nor a plugin's folder", async ({ skip }) => {
    skip(missing.python !== undefined || missing.go !== undefined, missing.python ?? missing.go);
    const site = ownFolder();
    const wheel = at(`pulumi_observability-${version}-py3-none-any.whl`);
    await run(site, ["python3", "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", "--target", site, wheel]);
    const packages = [site, process.env.TEST_PYTHON].join(delimiter);
    await expectExample("python", 12, { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" });
  });

  it("has a Go module that a program compiles with", async ({ skip }) => {
    skip(missing.go !== undefined, missing.go);
    const place = exampleIn("go");
    const sdk = join(place, "sdks/observability");
    mkdirSync(sdk, { recursive: true });
    await run(sdk, ["tar", "-xzf", at(`pulumi-observability-go-${version}.tar.gz`)]);
    await run(place, ["go", "mod", "tidy"], { GOWORK: "off" });
    await run(place, ["go", "build", "-o", "program", "."], { GOWORK: "off" });
  });
});
