import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Kind } from "../../provider/schema/kind";
import { effects } from "../../provider/schema/effect";
import { formatPath, scalarsOf } from "../../provider/schema/walk";
import { providerArgs, resourceClass, shapeTypes } from "./classes";
import { kindPage, settingsPage } from "./docs";
import { packageIndex, registry, resourceTypes, versionModule } from "./indexes";
import { openapi } from "./openapi";
import { type Manifest, packageSchema } from "./packageSchema";
import { registryIndex, registryInstallation } from "./registry";
import { header } from "./source";

// This file runs compiled, from dist/tools/generate.
const root = join(__dirname, "../../..");
const generatedFolders = ["provider", "sdk", "docs", "service/src"];

/** The kinds by their files: every hand-written file directly in provider/kinds exports one. */
function loadKinds(): ReadonlyMap<string, Kind> {
  const files = readdirSync(join(root, "provider/kinds"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".gen.ts"))
    .map((name) => name.slice(0, -".ts".length))
    .sort();
  return new Map(
    files.map((file) => {
      const kind: unknown = require(join(__dirname, "../../provider/kinds", file))[file];
      if (!(kind instanceof Kind)) throw new Error(`provider/kinds/${file}.ts exports no kind named "${file}"`);
      return [file, kind];
    }),
  );
}

/** The rules of PromQL. The service imports nothing of the other folders, so it has a copy of each file. */
const copied = [
  "provider/base/durations",
  ...["grammar", "literals", "rules", "tree"].map((name) => `cli/promql/${name}`),
];
const names = copied.map((file) => basename(file));

/** A file as an ES module beside the other copies. */
function copyOf(file: string): string {
  const text = readFileSync(join(root, `${file}.ts`), "utf8");
  const imported = (_: string, path: string) => `from "./${path}${names.includes(path) ? ".gen" : ""}.js"`;
  return `// ${header(`${file}.ts`)}\n${text.replace(/from "\.[^"]*?(\w+)"/g, imported)}`;
}

type Texts = readonly (readonly [path: string, text: string])[];

/** The generated files that the code needs, by their paths from the project's root. */
function codeOf(byFile: ReadonlyMap<string, Kind>, manifest: Manifest): Texts {
  const kinds = [...byFile.values()];
  return [
    ["provider/kinds/index.gen.ts", registry([...byFile.keys()])],
    ["provider/wire/openapi.gen.json", `${JSON.stringify(openapi(kinds, manifest.version), null, 2)}\n`],
    ["provider/plugin/schema.gen.json", `${JSON.stringify(packageSchema(kinds, manifest), null, 2)}\n`],
    ["provider/client/version.gen.ts", versionModule(manifest.version)],
    ["sdk/types.gen.ts", shapeTypes(kinds)],
    ["sdk/providerArgs.gen.ts", providerArgs()],
    ["sdk/index.gen.ts", packageIndex([...byFile.keys()])],
    ["sdk/standards/resources.gen.ts", resourceTypes(byFile)],
    ...copied.map((file) => [`service/src/promql/${basename(file)}.gen.ts`, copyOf(file)] as const),
    ...[...byFile].map(([file, kind]) => [`sdk/${file}.gen.ts`, resourceClass(kind, file, kinds)] as const),
  ];
}

/** The pages. That of the command line loads the commands, which need all generated code. */
async function pagesOf(byFile: ReadonlyMap<string, Kind>): Promise<Texts> {
  const { commandLinePage } = await import("./commandLine.js");
  const { skill } = await import("./skill.js");
  const kinds = [...byFile.values()];
  return [
    ["docs/cli.gen.md", commandLinePage()],
    ["docs/settings.gen.md", settingsPage()],
    ["docs/_index.md", registryIndex(kinds)],
    ["docs/installation-configuration.md", registryInstallation()],
    [
      "skills/pulumi-observability/SKILL.md",
      skill(readFileSync(join(root, "tools/generate/skill.md"), "utf8"), byFile),
    ],
    ...[...byFile].map(([file, kind]) => [`docs/kinds/${file}.gen.md`, kindPage(kind, file, kinds)] as const),
  ];
}

function generatedOnDisk(): string[] {
  return generatedFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.gen\.\w+$/.test(path));
}

/** The fields without an effect, as `Monitor: labels["*"]`. */
const withoutEffect = (kinds: readonly Kind[]) =>
  kinds.flatMap(({ name, root }) =>
    scalarsOf(root).flatMap(({ path, effect }) => (effect === undefined ? [`${name}: ${formatPath(path)}`] : [])),
  );

/** Writes what has changed, and removes what is generated from nothing; with `--check`, only reports it. */
function update(wanted: Texts, surplus: readonly string[]): void {
  const stale = wanted.filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
  );
  if (process.argv.includes("--check")) {
    for (const [path] of stale) console.error(`${path} is not what the schema says`);
    for (const path of surplus) console.error(`${path} is generated from nothing`);
    if (stale.length + surplus.length === 0) return;
    console.error("run: npm run generate");
    process.exitCode = 1;
    return;
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
  for (const path of surplus) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}

/** Generates everything; with `--code`, only what must be compiled before the rest can be generated. */
async function main(): Promise<void> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const byFile = loadKinds();
  const open = withoutEffect([...byFile.values()]);
  if (open.length > 0) {
    for (const field of open) console.error(`${field} has no effect`);
    console.error(`say in the schema what they decide, as "effect": ${Object.keys(effects).join(", ")}`);
    process.exitCode = 1;
    return;
  }
  const code = codeOf(byFile, manifest);
  if (process.argv.includes("--code")) return update(code, []);
  const wanted = [...code, ...(await pagesOf(byFile))];
  const paths = new Set(wanted.map(([path]) => path));
  update(
    wanted,
    generatedOnDisk().filter((path) => !paths.has(path)),
  );
}

void main();
