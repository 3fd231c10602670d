import { version } from "../../provider/client/version.gen";

/** The files that make a folder a Pulumi project, beside the program. */
export function projectFiles(name: string): Readonly<Record<string, string>> {
  const manifest = {
    name,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.248.0", "pulumi-observability": `^${version}` },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  };
  const settings = {
    compilerOptions: {
      target: "ES2022",
      module: "node16",
      moduleResolution: "node16",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    files: ["index.ts"],
  };
  return {
    "Pulumi.yaml": `name: ${name}\nruntime: nodejs\ndescription: Observability configuration\n`,
    "package.json": json(manifest),
    "tsconfig.json": json(settings),
    ".gitignore": "node_modules/\n",
  };
}

/** The files that make a folder a repository of teams, beside these. */
export function teamsFiles(name: string): Readonly<Record<string, string>> {
  const { "package.json": manifest = "", "tsconfig.json": settings = "" } = projectFiles(name);
  const { main: _, ...rest } = JSON.parse(manifest) as { readonly main: string };
  const { files: _files, ...compiler } = JSON.parse(settings) as { readonly files: readonly string[] };
  return {
    "package.json": json(rest),
    "tsconfig.json": json({ ...compiler, include: ["teams"] }),
    ".gitignore": "node_modules/\n.stacks/\n",
  };
}

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
