import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

const main = "dist/provider/plugin/main.js";
const schema = "provider/plugin/schema.gen.json";
const name = "pulumi-resource-observability";

/**
 * What the engine starts. Windows has no other script that the engine looks for. A `PulumiPlugin.yaml` would need neither,
 * but the engine then runs npm when it installs the plugin.
 */
const launchers = {
  [name]: [
    "#!/bin/sh",
    `needs="${name} is a Node.js program: install Node.js 20.18.1 or newer, with node on PATH"`,
    'command -v node >/dev/null || { echo "$needs" >&2; exit 1; }',
    `exec node "$(dirname "$0")/${main}" "$@"`,
    "",
  ].join("\n"),
  [`${name}.cmd`]: `@node "%~dp0${main.replaceAll("/", "\\")}" %*\r\n`,
};

/**
 * Writes the plugin with all that it needs but Node.js, the same for all platforms.
 * @param {string} folder
 */
export async function writePlugin(folder) {
  for (const file of [schema, "LICENSE"]) cpSync(join(root, file), join(folder, file));
  for (const [file, text] of Object.entries(launchers)) writeFileSync(join(folder, file), text, { mode: 0o755 });
  const licenses = (await bundle(join(folder, main))).map(licenseOf);
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES"), licenses.join(`\n${"=".repeat(80)}\n\n`));
}

/** Bundles the plugin's code into one file. @param {string} outfile @returns {Promise<readonly string[]>} the folders of the packages in it */
async function bundle(outfile) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [main],
    outfile,
    bundle: true,
    minify: true,
    // A stack names the functions.
    keepNames: true,
    platform: "node",
    target: "node20.18",
    metafile: true,
    plugins: [
      { name: "packages of Pulumi's SDK", setup: (build) => build.onLoad({ filter: /packages\.js$/ }, ofPulumi) },
    ],
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  );
  return [...new Set(packages)].sort();
}

/** Makes the module that looks for packages where Pulumi's SDK is one that esbuild can read. @param {{ path: string }} file */
function ofPulumi({ path }) {
  const text = readFileSync(path, "utf8");
  const [search] = /^const ofPulumi = .*$/m.exec(text) ?? [];
  if (search === undefined) return undefined;
  const contents = text.replace(search, "").replaceAll("ofPulumi(", "require(");
  return { contents, resolveDir: join(root, "node_modules/@pulumi/pulumi") };
}

/** @param {string} place the folder of a package */
function licenseOf(place) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"));
  const files = readdirSync(join(root, place)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(root, place, file), "utf8"));
  return [`${name} ${version}, license: ${license}\n`, ...texts].join("\n");
}
