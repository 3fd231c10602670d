import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../support/folders.js";
import { outputOf } from "../support/run.js";

export const root = join(import.meta.dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Runs a command as a user's shell would, not as "npm run" does. @throws with all that it printed if it fails. */
export const run = (
  folder: string,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<NodeJS.ProcessEnv> = {},
): Promise<string> =>
  // Caches that a compiler leaves among temporary files end with the test file.
  outputOf(command, args, { cwd: folder, env: { ...ownEnvironment(), ...env, TMPDIR: ownFolder() } });

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

/** Unpacks a tarball into a folder. */
export async function unpack(tarball: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await run(folder, ["tar", "-xzf", tarball, "--strip-components=1"]);
}
