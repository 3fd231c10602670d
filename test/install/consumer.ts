import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import { expect } from "vitest";
import { pulumiEnv } from "../../tools/pulumi.mjs";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { blocksIn, filesUnder } from "../commands/pages.js";
import { keyService } from "../support/keys.js";
import { homeIn, plainStart } from "../support/quickStart.js";
import { ownService, token } from "../support/service.js";
import { makeStack } from "../support/stacks.js";
import { ownEnvironment, readManifest, root, run, unpack } from "./manifest.js";
import { writeFiles } from "../support/folders.js";

/** A program that someone else writes: the files of an empty project, before anything is installed. */
export interface Program {
  readonly files: Readonly<Record<string, string>>;
  /** What it installs beside our package. */
  readonly installs: readonly string[];
}

const { devDependencies: versions } = readManifest(root);
const pulumi = `@pulumi/pulumi@${versions["@pulumi/pulumi"]}`;
const typescript = `typescript@${versions.typescript}`;

/** One statement per kind, of the kind's own example; each waits for those before it, to which it may refer. */
function declarations(namespace = "obs.", options = ""): string {
  const statements = kinds.map(({ name, example }) => {
    const given = `"${example.slug ?? "only"}", ${JSON.stringify(example)}, { ${options}dependsOn: [...declared] }`;
    return `declared.push(new ${namespace}${name}(${given}));`;
  });
  return statements.join("\n");
}

/** A project of one file. */
const projectOf = (main: string, text: string, manifest: object = {}): Program["files"] => ({
  "package.json": JSON.stringify({ name: "consumer", private: true, main, ...manifest }),
  "Pulumi.yaml": "name: consumer\nruntime: nodejs\n",
  [main]: text,
});

const inTypescript = projectOf(
  "index.ts",
  `
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const declared: pulumi.Resource[] = [];
${declarations()}
`,
);

const strict = { strict: true, skipLibCheck: false, module: "node16", moduleResolution: "node16", noEmit: true };

export const typescriptProgram: Program = {
  files: {
    ...inTypescript,
    "tsconfig.json": JSON.stringify({ compilerOptions: strict, files: ["index.ts"] }),
  },
  installs: [pulumi, typescript],
};

/** Compiled by the old TypeScript that Pulumi's SDK carries. */
export const typescriptProgramWithoutCompiler: Program = { files: inTypescript, installs: [pulumi] };

const guide = "docs/languages.md";
const asModules = "Write the program as ES modules";

/** TypeScript as ES modules, as the guide has it. */
export const esmTypescriptProgram: Program = {
  files: filesUnder(guide, asModules),
  installs: (blocksIn(guide).find(({ heading }) => heading === asModules)?.text ?? "")
    .trim()
    .replace("npm install ", "")
    .split(" ")
    .flatMap((name) => (name === "pulumi-observability" ? [] : [name === "@pulumi/pulumi" ? pulumi : name])),
};

/** A program of the Automation API, for a folder of ES modules, as the guide has it. */
export const automationProgram = filesUnder("docs/teams.md", "Use the Automation API from another folder");

export const esmProgram: Program = {
  files: projectOf(
    "index.js",
    `
import { ${kinds.map(({ name }) => name).join(", ")} } from "pulumi-observability";

const declared = [];
${declarations("")}
`,
    { type: "module" },
  ),
  installs: [pulumi],
};

/** A package of components that depends on ours. */
export const componentPackage = (tarball: string): Program["files"] => ({
  "package.json": JSON.stringify({
    name: "team-alerts",
    version: "1.0.0",
    main: "index.js",
    dependencies: { "pulumi-observability": `file:${tarball}` },
    peerDependencies: { "@pulumi/pulumi": "^3.0.0" },
  }),
  "index.js": `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");

exports.TeamAlerts = class extends pulumi.ComponentResource {
  constructor(name) {
    super("team:index:Alerts", name);
    const declared = [];
    ${declarations("obs.", "parent: this, ")}
  }
};
`,
});

/** A program that knows ours only through that package. */
export const componentProgram: Program = {
  files: projectOf("index.js", 'new (require("team-alerts").TeamAlerts)("checkout");\n'),
  installs: [pulumi],
};

export type Manager = "npm" | "pnpm";

const install = {
  // From the machine's own cache, without asking whether there is something newer.
  npm: ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"],
  pnpm: ["npm", "exec", "--yes", "--prefer-offline", "--", "pnpm@10", "add", "--prefer-offline"],
} as const satisfies Record<Manager, readonly [string, ...string[]]>;

/** Makes the project and installs the tarball and what else it needs. */
export async function make(folder: string, manager: Manager, program: Program, tarball: string): Promise<void> {
  writeFiles(folder, program.files);
  await run(folder, [...install[manager], tarball, ...program.installs]);
}

/** Makes the project with the packed package and what it and the program name, which is installed here: they find nothing else. */
export async function link(folder: string, { files, installs }: Program, tarball: string): Promise<void> {
  const at = (name: string) => join(folder, "node_modules", name);
  const ours = at("pulumi-observability");
  writeFiles(folder, files);
  await unpack(tarball, ours);
  const named = installs.map((each) => each.replace(/(?<=.)@.*/, ""));
  for (const name of new Set([...named, ...Object.keys(readManifest(ours).dependencies ?? {})])) {
    mkdirSync(dirname(at(name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), at(name), "junction");
  }
}

/** Makes the project with what another one has installed. */
export function share(from: string, folder: string, program: Program): void {
  writeFiles(folder, program.files);
  symlinkSync(join(from, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Compiles as the project's own script would. @throws with the compiler's words. */
export const compile = (folder: string, compiler = "typescript", ...options: readonly string[]): Promise<string> =>
  run(folder, ["node", `node_modules/${compiler}/bin/tsc`, "-p", ".", ...options]);

export interface Preview {
  /** How many resources had each operation, the stack's own included. */
  readonly changeSummary: Readonly<Record<string, number>>;
  readonly steps: readonly {
    readonly op: string;
    readonly newState: { readonly type: string; readonly sourcePosition?: string };
  }[];
}

const keys = await keyService();

/** What a project's own Pulumi needs: a home, a backend and the key of its secrets. */
export const pulumiIn = (folder: string): Readonly<NodeJS.ProcessEnv> => ({
  ...pulumiEnv({ home: homeIn(folder), backend: join(folder, "backend"), env: ownEnvironment() }),
  ...plainStart,
  ...keys,
});

/** What `pulumi preview` says, on a backend of the project's own. @throws with what it printed if it fails. */
export async function preview(folder: string, env: Readonly<Record<string, string>>): Promise<Preview> {
  const environment = { ...pulumiIn(folder), ...env };
  makeStack({ backend: join(folder, "backend"), home: join(folder, "home"), project: folder }, "dev");
  return JSON.parse(await run(folder, ["pulumi", "preview", "--json", "--non-interactive"], environment));
}

/** How many operations have validated something. */
export const validatedBy = (service: Service) =>
  new Set(service.counters().requests.flatMap(({ dryRun, operation }) => (dryRun ? [operation] : []))).size;

/** One create per kind, each validated by the service. */
export async function expectPreview(
  place: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Preview["steps"]> {
  const service = await ownService();
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
  expect(validatedBy(service)).toBe(kinds.length);
  return steps;
}

/** The program compiles under strict checks, and its preview has each kind, with its place before it was compiled. */
export async function expectCompiled(place: string, compiler: string, exact: boolean): Promise<void> {
  await compile(place, compiler, "--exactOptionalPropertyTypes", String(exact));
  const steps = await expectPreview(place, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const places = steps.map(({ newState }) => newState.sourcePosition);
  const lines = typescriptProgram.files["index.ts"]?.split("\n") ?? [];
  const declared = lines.flatMap((line, i) => (line.startsWith("declared.push(new") ? [`index.ts#${i + 1},15`] : []));
  expect(places).toEqual(expect.arrayContaining(declared.map((each) => `project:///${each}`)));
}
