import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { version } from "../../provider/client/version.gen";
import { parseJson, tried } from "../../provider/wire/json";

type Files = Readonly<Record<string, string>>;

/** The files that make a folder a Pulumi project, beside the program. */
export const newProjectFiles = (name: string, folder: string): Files => ({
  "Pulumi.yaml": `name: ${name}\nruntime: nodejs\ndescription: Observability configuration\n`,
  "package.json": manifest(name, folder, { main: "index.ts" }),
  "tsconfig.json": settings({ files: ["index.ts"] }),
  ".gitignore": "node_modules/\n",
});

/** The files that make a folder a repository of teams, beside these. */
export const teamsFiles = (name: string, folder: string): Files => ({
  "package.json": manifest(name, folder),
  "tsconfig.json": settings({ include: ["teams"] }),
  ".gitignore": "node_modules/\n.stacks/\n",
});

const manifest = (name: string, folder: string, more: object = {}) =>
  json({
    name,
    private: true,
    ...more,
    dependencies: { "@pulumi/pulumi": "^3.248.0", "pulumi-observability": packageFor(folder) },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  });

/** What a manifest in a folder names this package by: the `.tgz` file from which this project has installed it, or its version. */
function packageFor(folder: string): string {
  const [, project = ""] = /^(.*?)[\\/]node_modules[\\/]/.exec(__dirname) ?? [];
  const manifest = Object(parseJson(tried(() => readFileSync(join(project, "package.json"), "utf8")) ?? ""));
  const own: unknown = Object(manifest.dependencies)["pulumi-observability"];
  const [, file] = (typeof own === "string" && /^file:(.*)$/.exec(own)) || [];
  return file === undefined ? `^${version}` : `file:${relative(folder, resolve(project, file)).replaceAll("\\", "/")}`;
}

const settings = (sources: object) =>
  json({
    compilerOptions: {
      target: "ES2022",
      module: "node16",
      moduleResolution: "node16",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    ...sources,
  });

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
