import { version } from "../../provider/client/version.gen";

type Files = Readonly<Record<string, string>>;

/** The files that make a folder a Pulumi project, beside the program. */
export const newProjectFiles = (name: string): Files => ({
  "Pulumi.yaml": `name: ${name}\nruntime: nodejs\ndescription: Observability configuration\n`,
  "package.json": manifest(name, { main: "index.ts" }),
  "tsconfig.json": settings({ files: ["index.ts"] }),
  ".gitignore": "node_modules/\n",
});

/** The files that make a folder a repository of teams, beside these. */
export const teamsFiles = (name: string): Files => ({
  "package.json": manifest(name),
  "tsconfig.json": settings({ include: ["teams"] }),
  ".gitignore": "node_modules/\n.stacks/\n",
});

const manifest = (name: string, more: object = {}) =>
  json({
    name,
    private: true,
    ...more,
    dependencies: { "@pulumi/pulumi": "^3.248.0", "pulumi-observability": `^${version}` },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  });

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
