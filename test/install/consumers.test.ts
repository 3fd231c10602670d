import { copyFileSync, cpSync, existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { blocksIn } from "../commands/pages.js";
import { deepDescribe } from "../support/figures.js";
import { quickStart } from "../support/quickStart.js";
import { ownService, token } from "../support/service.js";
import {
  automationProgram,
  compile,
  componentPackage,
  componentProgram,
  esmProgram,
  esmTypescriptProgram,
  expectCompiled,
  expectPreview,
  type Manager,
  make,
  type Program,
  preview,
  pulumiIn,
  share,
  typescriptProgram,
  typescriptProgramWithoutCompiler,
  validatedBy,
} from "./consumer.js";
import { pack, root, run } from "./manifest.js";
import { ownFolder, writeFiles } from "../support/folders.js";

let folder: string;
// Two package managers, compilers and engines at once on a small machine.
let tarball: string;

beforeAll(async () => {
  folder = ownFolder();
  tarball = await pack(root, folder);
});

const made = new Map<Manager, Promise<string>>();

/** The folder of a program's project; those of one package manager share what it has installed. */
async function projectOf(name: string, manager: Manager, program: Program): Promise<string> {
  const shared = join(folder, manager);
  const making = made.get(manager) ?? make(shared, manager, typescriptProgram, tarball).then(() => shared);
  made.set(manager, making);
  const place = join(folder, name);
  share(await making, place, program);
  return place;
}

const consumers: Readonly<Record<string, () => Promise<void>>> = {
  "compiles without exactOptionalPropertyTypes, and previews every kind, in a TypeScript program under pnpm":
    async () => expectCompiled(await projectOf("typescript-pnpm", "pnpm", typescriptProgram), "typescript", false),
  "previews every kind in an ESM program under pnpm": async () => {
    await expectPreview(await projectOf("esm-pnpm", "pnpm", esmProgram), quickStart);
  },
  "runs the guide's program of the Automation API from another folder": async () =>
    expectAutomation(await projectOf("automation", "npm", esmProgram)),
  "compiles and previews a TypeScript program of ES modules, as the guide has it": async () => {
    const place = join(folder, "typescript-modules");
    await make(place, "npm", esmTypescriptProgram, tarball);
    await compile(place);
    const service = await ownService();
    const env = { ...pulumiIn(place), OBSERVABILITY_BASE_URL: service.url, OBSERVABILITY_API_TOKEN: token };
    const { changeSummary } = await preview(place, env);
    expect(changeSummary).toEqual({ create: 3 });
    expect(validatedBy(service)).toBe(2);
    rmSync(join(place, "node_modules/ts-node"), { recursive: true });
    const without = run(place, ["pulumi", "preview", "--non-interactive"], env);
    await expect(without).rejects.toThrow('Unknown file extension ".ts"');
  },
  "previews every kind in a TypeScript program without a compiler of its own": async () => {
    const place = join(folder, "typescript-without-compiler");
    await make(place, "npm", typescriptProgramWithoutCompiler, tarball);
    await expectPreview(place);
  },
  "passes npm ci in a fresh clone of the first commit, with an empty cache, if it is set up as README shows":
    async () => {
      const place = join(folder, "alerts");
      writeFiles(place, { "package.json": '{ "main": "index.ts" }' });
      copyFileSync(tarball, join(place, basename(tarball)));
      const [install = ""] = (
        blocksIn("README.md").find(({ text }) => text.startsWith("npm install"))?.text ?? ""
      ).split("\n");
      await run(place, install.split(" ") as [string, ...string[]]);
      rmSync(join(place, "node_modules"), { recursive: true });
      const clone = join(folder, "clone", "alerts");
      cpSync(place, clone, { recursive: true });
      rmSync(place, { recursive: true });
      await run(clone, ["npm", "ci", "--cache", join(folder, "empty-cache")]);
      expect(existsSync(join(clone, "node_modules/pulumi-observability/package.json"))).toBe(true);
    },
  "previews every kind under pnpm where a program has it only through another package": async () => {
    const components = join(folder, "team-alerts");
    writeFiles(components, componentPackage(tarball));
    const place = join(folder, "through-team-alerts");
    await make(place, "pnpm", componentProgram, await pack(components, folder));
    expect(existsSync(join(place, "node_modules/pulumi-observability"))).toBe(false);
    await expectPreview(place, quickStart);
  },
};

// In each run tarball.test.ts has a program in TypeScript, and other tests those in CommonJS, without a package manager.
deepDescribe("the packed package", { concurrent: true }, () => {
  it.for(Object.entries(consumers))("%s", ([, works]) => works());
});

/** The guide's program of the Automation API, started where its packages are not. */
async function expectAutomation(place: string): Promise<void> {
  const [[file, text] = ["", ""]] = Object.entries(automationProgram);
  const main = ", main: import.meta.dirname";
  expect(text).toContain(main);
  writeFiles(place, { [file]: text, "without-main.js": text.replace(main, "") });
  const elsewhere = join(place, "../elsewhere");
  writeFiles(elsewhere, {});
  const service = await ownService();
  const env = { ...pulumiIn(elsewhere), ...quickStart, OBSERVABILITY_BASE_URL: service.url, CHECKOUT_TOKEN: token };
  const start = (program: string) => run(elsewhere, ["node", join(place, program), "checkout"], env);
  await expect(start("without-main.js")).rejects.toThrow("Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'");
  expect(await start(file)).toBe("checkout { create: 2 } checkout-pager\n");
}
