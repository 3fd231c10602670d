import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import { version } from "../../../provider/client/version.gen";
import { entries, tried } from "../../../provider/wire/json";
import { projectIn, pulumi } from "../../pulumi/pulumi";
import { type DoctorFinding, shows } from "./probe";

const page = "docs/upgrading.md#which-versions-work-together";
/** The tested combinations of Node.js, SDK and CLI, as that page has them. */
export const tested = [
  "24 3.276.0 3.259.0",
  "22 3.276.0 3.259.0",
  "24 the newest 3.274.1",
  "22 the newest 3.259.0",
  "20 3.248.0 3.259.0",
  "20 3.248.0 3.274.1",
  "20 3.216.0 3.259.0",
  "20 3.216.0 3.220.0",
];

/** What is installed, as a program in the current folder finds it. */
export async function versionsHere() {
  const { runtime = "nodejs", namesPlugin = false } = projectIn(".");
  const { status, stdout } = await pulumi(".", ["version"]).catch(() => ({ status: 1, stdout: "" }));
  return {
    node: process.versions.node,
    sdk: sdkIn(join(process.cwd(), "index.js")) ?? sdkIn(__filename),
    cli: status === 0 ? stdout.trim().replace(/^v/, "") : undefined,
    runtime,
    languageHost: onPath(`pulumi-language-${runtime}`),
    namesPlugin,
    plugin: onPath("pulumi-resource-observability"),
  };
}

/** Undefined if the program does not find it. */
const sdkIn = (program: string): string | undefined =>
  tried(() => String(entries(createRequire(program)("@pulumi/pulumi/package.json")).version));

/** A file on PATH, without the folders that npx adds: the engine does not always have those. */
const onPath = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["", ".exe", ".cmd"].map((end) => join(folder, name + end)))
    .find((file) => existsSync(file) && basename(dirname(file)) !== ".bin");

export function versionFindings(here: Awaited<ReturnType<typeof versionsHere>>): readonly DoctorFinding[] {
  const { node, sdk = "not installed", cli = "not on PATH", runtime, languageHost, namesPlugin, plugin } = here;
  const place = (file: string | undefined) => (file === undefined ? "not on PATH" : "on PATH");
  const result =
    `Node.js ${node}, @pulumi/pulumi ${sdk}, Pulumi CLI ${cli}, its language host ${place(languageHost)}, ` +
    `this package ${version}, its plugin (for YAML and other languages) ${namesPlugin ? "named in Pulumi.yaml" : place(plugin)}`;
  if (runtime !== "nodejs" && !namesPlugin && plugin === undefined) {
    const meaning = `A program in ${runtime} needs the plugin: name its folder in Pulumi.yaml`;
    return [
      { line: "versions", ...shows("note", result, meaning, "docs/languages.md#where-the-engine-finds-the-plugin") },
    ];
  }
  const isTested = languageHost !== undefined && tested.includes(`${node.split(".")[0]} ${sdk} ${cli}`);
  if (isTested) return [{ line: "versions", ...shows("ok", `${result}: tested together`) }];
  return [{ line: "versions", ...shows("note", result, "This combination isn't tested", page) }];
}
