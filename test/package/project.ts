import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "../support/ends.js";

export const root = join(import.meta.dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** A folder that ends with the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-observability-package-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Runs a command to its end and answers what it wrote to stdout. @throws with all that it wrote if it fails. */
export function run(
  folder: string,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...ownEnvironment(), ...env }, maxBuffer: 2 ** 26, timeout: 300_000 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(" ")}: ${error.message}\n${stdout}\n${stderr}`));
    });
    child.stdin?.end();
  });
}

/** The environment without what `npm run` adds, which says that the project is this repository. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const ofNpmRun = /^(npm_(?!config_)|npm_config_(call|local_prefix|npm_version|user_agent)$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofNpmRun.test(name)));
}

/** Packs the package in a folder, as built; answers the tarball's path. */
export async function pack(source: string, destination: string): Promise<string> {
  const printed = await run(source, ["npm", "pack", "--ignore-scripts", "--json", "--pack-destination", destination]);
  const [packed] = JSON.parse(printed) as { filename: string }[];
  return join(destination, packed?.filename ?? "");
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
