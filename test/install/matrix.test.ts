import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createLog, SetUpError } from "../../tools/log.mjs";
import { newest as newestVersions } from "../../tools/pulumi.mjs";
import { ensurePulumiVersion } from "../../tools/pulumi-get.mjs";
import { link, make } from "./consumer.js";
import { pack, root, run } from "./manifest.js";
import { ownFolder } from "../support/folders.js";
import { deepTest, reportFigure } from "../support/figures.js";
import { ownService } from "../support/service.js";
import { type Program, programs } from "./declarations.js";
import { keptBy, versions } from "./kept.js";
import { live, liveOn } from "./statesLife.js";
import { Project } from "./statesProject.js";
import { tested } from "./versions.js";

const folder = ownFolder();
let tarball: string | undefined;

/** What is not to be had on this machine, which says nothing about the package. */
class Missing extends Error {}

/** The newest version in the registry that answers to a name. @throws Missing without a registry. */
async function inRegistry(name: string): Promise<string> {
  const answer = await run(root, ["npm", "view", name, "version", "--json"]).catch(({ message }: Error) => {
    throw new Missing(`the npm registry knows no ${name}: ${/^npm error .*/m.exec(message)?.[0] ?? message}`);
  });
  return [JSON.parse(answer)].flat().at(-1); // A list where several match.
}

/** The folder of the CLI of one version. @throws Missing where there is no way to it. */
async function binOf(cli: string): Promise<string> {
  const found = await ensurePulumiVersion(cli, { log: createLog(), env: process.env }).catch((error: unknown) => {
    throw error instanceof SetUpError ? new Missing(error.message) : error;
  });
  return found.bin;
}

/** A folder in which our package is installed as a user does, beside an SDK; one for all rows that share it. */
async function placeWith(...installs: readonly string[]): Promise<string> {
  const place = join(folder, installs.join("+").replaceAll(/[@/]/g, "-"));
  if (existsSync(place)) return place;
  const files = { "package.json": JSON.stringify({ name: "consumer", private: true }) };
  tarball ??= await pack(root, folder);
  await make(place, "npm", { files, installs }, tarball);
  return place;
}

/** The package asks the SDK whether a config value is a secret, which its typings do not promise. */
async function warned(project: Project, { declarations }: Program): Promise<void> {
  const service = await ownService();
  await project.start(service.url, { tokenAs: "plaintext" });
  project.declare(declarations);
  const { text } = await project.run("preview");
  expect(text).toContain("observability:apiToken is unencrypted in stack config");
}

/** A project in which each operation runs on the next of several versions of Node.js. */
class Alternating extends Project {
  #next = 0;

  constructor(
    packages: string,
    private readonly nodes: readonly string[],
    private readonly bin = ownFolder(),
  ) {
    super({ packages, bins: [bin] });
  }

  override run(operation: "preview" | "up" | "refresh" | "destroy") {
    this.turn();
    return super.run(operation);
  }

  turn(): void {
    const file = join(this.bin, "node");
    rmSync(file, { force: true });
    symlinkSync(this.nodes[this.#next++ % this.nodes.length] ?? "", file);
  }
}

test("a stack of all kinds lives with the newest SDK, on the newest versions of Node.js in turn", async ({ skip }) => {
  const { TEST_NEWEST: newest = "", TEST_NO_NEWEST: reason } = process.env;
  skip(reason !== undefined, reason);
  const place = join(folder, "newest");
  await link(place, { files: {}, installs: [] }, (tarball ??= await pack(root, folder)));
  const sdk = join(place, "node_modules/@pulumi/pulumi");
  mkdirSync(dirname(sdk), { recursive: true });
  symlinkSync(join(newest, "node_modules/@pulumi/pulumi"), sdk);
  const regular = tested.filter(({ sdk, isRegular }) => isRegular === true && sdk === newestVersions.sdk);
  const nodes = regular.map(({ node }) => join(newest, `node_modules/node-${node}/bin/node`));
  const project = new Alternating(join(place, "node_modules"), nodes);
  for (const { node, sdk, cli } of regular) {
    project.turn();
    expect(await project.versions()).toEqual({ sdk, cli, node });
  }
  await live(project, await ownService(), programs.complete);
});

deepTest.for(tested)(
  "stacks live, and kept states live on, with SDK $sdk under CLI $cli",
  async ({ sdk: asked, node, cli }, { skip }) => {
    const major = node ?? process.versions.node.split(".")[0];
    let sdk = asked;
    let told = "failed";
    try {
      sdk = await inRegistry(`@pulumi/pulumi@${asked}`);
      const bin = await binOf(cli);
      const place = await placeWith(`@pulumi/pulumi@${sdk}`, ...(node === undefined ? [] : [`node@${node}`]));
      const bins = [bin, ...(node === undefined ? [] : [join(place, "node_modules/node/bin")])];
      const projectOf = () => new Project({ packages: join(place, "node_modules"), bins });
      const atWork = await projectOf().versions();
      expect(atWork).toEqual({ sdk, cli, node: expect.stringMatching(`^${major}(\\.|$)`) });

      await warned(projectOf(), programs.complete);
      const stacks = Object.values(programs);
      await Promise.all(stacks.map(async (program) => live(projectOf(), await ownService(), program)));
      const states = versions.flatMap((by) => keptBy(by));
      await Promise.all(states.map(async ([, state]) => liveOn(projectOf(), await ownService(), state)));
      told = `ok, stacks: ${stacks.length}, states replayed: ${states.length}`;
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      told = `not run, ${error.message.replaceAll(/\s*\n\s*/g, "; ")}`;
      skip(error.message);
    } finally {
      reportFigure(`matrix: SDK ${sdk}/CLI ${cli}/Node ${major}: ${told}`);
    }
  },
);
