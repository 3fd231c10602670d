import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { version } from "../../../provider/client/version.gen";
import { entries } from "../../../provider/wire/json";
import { pulumi } from "../../stacks/pulumi";
import { type Finding, shows } from "./probe";

const page = "docs/upgrading.md#which-versions-work-together";
/** The tested combinations of Node.js, SDK and CLI, as that page has them. */
export const tested = ["20 3.248.0 3.259.0", "20 3.216.0 3.259.0", "20 3.216.0 3.220.0", "24 the newest 3.259.0"];

/** What is installed, as a program in the current folder finds it. */
export async function versionsHere() {
  const { status, stdout } = await pulumi(".", ["version"]).catch(() => ({ status: 1, stdout: "" }));
  return {
    node: process.versions.node,
    sdk: sdkIn(join(process.cwd(), "index.js")) ?? sdkIn(__filename),
    cli: status === 0 ? stdout.trim().replace(/^v/, "") : undefined,
    languageHost: onPath("pulumi-language-nodejs"),
    plugin: onPath("pulumi-resource-observability"),
  };
}

function sdkIn(program: string): string | undefined {
  try {
    return String(entries(createRequire(program)("@pulumi/pulumi/package.json")).version);
  } catch {
    return undefined; // The program does not find it.
  }
}

const onPath = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["", ".exe", ".cmd"].map((end) => join(folder, name + end)))
    .find((file) => existsSync(file));

export function versionFindings(here: Awaited<ReturnType<typeof versionsHere>>): readonly Finding[] {
  const { node, sdk = "not installed", cli = "not on PATH", languageHost, plugin } = here;
  const names = `Node.js ${node}, @pulumi/pulumi ${sdk}, Pulumi CLI ${cli}, this package ${version}`;
  const isTested = tested.includes(`${node.split(".")[0]} ${sdk} ${cli}`);
  const host = "The Pulumi CLI brings it. Programs in TypeScript and JavaScript need it";
  return [
    {
      line: "versions",
      ...(isTested ? shows("ok", `${names}: tested`) : shows("note", names, "Not tested together", page)),
    },
    { line: "language host", ...(languageHost ? shows("ok", "on PATH") : shows("note", "not on PATH", host, page)) },
    {
      line: "plugin",
      ...shows("ok", `${plugin ? "" : "not "}on PATH; only programs in YAML and other languages need it`),
    },
  ];
}
