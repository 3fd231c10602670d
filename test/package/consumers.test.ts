import { rmSync } from "node:fs";
import { join } from "node:path";
import { startService } from "@pulumi-observability/service";
import { beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { isDeep } from "../support/figures.js";
import { quickStart } from "../support/quickStart.js";
import { token } from "../support/service.js";
import {
  automationProgram,
  commonjsProgram,
  compile,
  componentPackage,
  componentProgram,
  esmProgram,
  esmTypescriptProgram,
  installed,
  type Manager,
  make,
  type Program,
  preview,
  pulumiIn,
  share,
  typescriptProgram,
  typescriptProgramWithoutCompiler,
} from "./consumer.js";
import { pack, root, run } from "./project.js";
import { ownFolder, writeFiles } from "../support/folders.js";

const folder = ownFolder();
// Two package managers, compilers and engines at once on a small machine.
const patience = 400_000;
let tarball: string;

beforeAll(async () => {
  tarball = await pack(root, folder);
});

const consumers: readonly [string, Manager, Program][] = [
  ["an ESM program under pnpm", "pnpm", esmProgram],
  ["a CommonJS program under npm", "npm", commonjsProgram],
  ["an ESM program under npm", "npm", esmProgram],
  ["a CommonJS program under pnpm", "pnpm", commonjsProgram],
];

// The package manager, and exactOptionalPropertyTypes.
const strictly: readonly [Manager, string][] = [
  ["npm", "true"],
  ["pnpm", "false"],
];

const made = new Map<Manager, Promise<string>>();

/** The folder of a program's project; those of one package manager share what it has installed. */
async function projectOf(name: string, manager: Manager, program: Program): Promise<string> {
  const shared = join(folder, manager);
  const making = made.get(manager) ?? make(shared, manager, typescriptProgram, tarball).then(() => shared);
  made.set(manager, making);
  const place = join(folder, name.replaceAll(" ", "-"));
  share(await making, place, program);
  return place;
}

describe.concurrent("the packed package", () => {
  it.for(isDeep ? strictly : strictly.slice(0, 1))(
    "compiles under strict checks and previews every kind in a TypeScript program under %s, with exactOptionalPropertyTypes %s",
    { timeout: patience },
    async ([manager, exact]) => {
      const place = await projectOf(`typescript ${manager}`, manager, typescriptProgram);
      await compile(place, "--exactOptionalPropertyTypes", exact);
      // In deep runs once as a user has it: that checks the types once more.
      await expectPreview(place, isDeep && manager === "npm" ? {} : { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    },
  );

  it.skipIf(!isDeep).for(consumers)(
    "previews every kind in %s",
    { timeout: patience },
    async ([name, manager, program]) => {
      await expectPreview(await projectOf(name, manager, program), quickStart);
    },
  );

  it.skipIf(!isDeep)(
    "runs the guide's program of the Automation API from another folder",
    { timeout: patience },
    async () => {
      await expectAutomation(await projectOf("an automation program", "npm", esmProgram));
    },
  );

  it.skipIf(!isDeep)(
    "compiles and previews a TypeScript program of ES modules, as the guide has it",
    { timeout: patience },
    async () => {
      const place = join(folder, "typescript-modules");
      await make(place, "npm", esmTypescriptProgram, tarball);
      await compile(place);
      const service = await startService({ token });
      const env = { ...pulumiIn(place), OBSERVABILITY_BASE_URL: service.url, OBSERVABILITY_API_TOKEN: token };
      try {
        const { changeSummary } = await preview(place, env);
        expect(changeSummary).toEqual({ create: 3 });
        const validated = service.counters().requests.filter(({ dryRun }) => dryRun);
        expect(new Set(validated.map(({ operation }) => operation)).size).toBe(2);
        rmSync(join(place, "node_modules/ts-node"), { recursive: true });
        const without = run(place, ["pulumi", "preview", "--non-interactive"], env);
        await expect(without).rejects.toThrow('Unknown file extension ".ts"');
      } finally {
        await service.close();
      }
    },
  );

  it.skipIf(!isDeep)(
    "previews every kind in a TypeScript program without a compiler of its own",
    { timeout: patience },
    async () => {
      const place = join(folder, "typescript-without-compiler");
      await make(place, "npm", typescriptProgramWithoutCompiler, tarball);
      await expectPreview(place);
    },
  );

  it.skipIf(!isDeep)(
    "previews every kind under pnpm where a program has it only through another package",
    { timeout: patience },
    async () => {
      const components = join(folder, "team-alerts");
      writeFiles(components, componentPackage(tarball));
      const place = join(folder, "through-team-alerts");
      await make(place, "pnpm", componentProgram, await pack(components, folder));
      expect(installed(place, "pulumi-observability")).toBeUndefined();
      await expectPreview(place, quickStart);
    },
  );
});

/** One create per kind, each validated by the service. */
async function expectPreview(place: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const service = await startService({ token });
  try {
    const { changeSummary, steps } = await preview(place, {
      ...more,
      OBSERVABILITY_BASE_URL: service.url,
      OBSERVABILITY_API_TOKEN: token,
    });
    const components = steps.filter(({ newState }) => newState.type.startsWith("team:")).length;
    expect(changeSummary).toEqual({ create: 1 + components + kinds.length });
    expect(steps.map(({ newState }) => newState.type)).toEqual(
      expect.arrayContaining(kinds.map(({ name }) => `pulumi-nodejs:dynamic/observability:${name}`)),
    );
    const validated = service.counters().requests.filter(({ dryRun }) => dryRun);
    expect(new Set(validated.map(({ operation }) => operation)).size).toBe(kinds.length);
    const others = service.counters().requests.filter(({ dryRun }) => !dryRun);
    // That this is the service, by the list of the first resource's kind; and whether there is an allocation already,
    // which its reference to a new dataset hides.
    expect(others.map(({ method, path, count }) => `${count} ${method} ${path}`).sort()).toEqual([
      "1 GET /api/v1/config/cloudx-metrics-integrations",
      "1 GET /api/v1/config/log-allocation-config",
    ]);
  } finally {
    await service.close();
  }
}

/** The guide's program of the Automation API, started where its packages are not. */
async function expectAutomation(place: string): Promise<void> {
  const [[file, text] = ["", ""]] = Object.entries(automationProgram);
  const main = ", main: import.meta.dirname";
  expect(text).toContain(main);
  writeFiles(place, { [file]: text, "without-main.js": text.replace(main, "") });
  const elsewhere = join(place, "../elsewhere");
  writeFiles(elsewhere, {});
  const service = await startService({ token });
  try {
    const start = (program: string) =>
      run(elsewhere, ["node", join(place, program), "checkout"], {
        ...pulumiIn(elsewhere),
        ...quickStart,
        OBSERVABILITY_BASE_URL: service.url,
        CHECKOUT_TOKEN: token,
      });
    const without = start("without-main.js");
    await expect(without).rejects.toThrow("Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'");
    expect(await start(file)).toBe("checkout { create: 2 } checkout-pager\n");
  } finally {
    await service.close();
  }
}
