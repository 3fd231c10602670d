import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { cliFiles, fromPath, minimumVersion, ownVersion, placeIn, pulumiEnv } from "../../../tools/pulumi.mjs";
import { ensurePulumi } from "../../../tools/pulumi-get.mjs";
import { checkNode } from "../../../tools/setup.mjs";
import { ownFolder, writeFiles } from "../../support/folders";

const log = { say: () => undefined, start: () => ({ detail: () => undefined, end: () => undefined }) };

/** A folder with executable shell scripts, by their names. */
function scripts(files: Readonly<Record<string, string>>): string {
  const folder = ownFolder(files);
  for (const name of Object.keys(files)) chmodSync(join(folder, name), 0o755);
  return folder;
}

/** A folder with a CLI that prints `version`. */
const fakeCli = (version: string, files = cliFiles) =>
  scripts(Object.fromEntries(files.map((file) => [file, `#!/bin/sh\necho v${version}\n`])));

/** A PATH with one folder, and an empty cache. */
const environment = (folder: string) => ({ PATH: folder, PULUMI_OBSERVABILITY_CACHE: ownFolder() });

const installer = join(ownFolder({ "offline.mjs": 'console.error("fetch failed"); process.exit(1);' }), "offline.mjs");

// The fakes are shell scripts.
describe.skipIf(process.platform === "win32")("the Pulumi CLI of a checkout", () => {
  it.each([minimumVersion, "3.1000.0", "4.0.0"])("is the user's own one if its version is %s", async (version) => {
    const bin = fakeCli(version);
    await expect(fromPath(environment(bin))).resolves.toMatchObject({ pulumi: join(bin, "pulumi"), version });
  });

  it.each([
    ["is too old", () => fakeCli("3.99.0"), `3.99.0, older than ${minimumVersion}`],
    ["lacks its language host", () => fakeCli(minimumVersion, ["pulumi"]), 'its "pulumi-language-nodejs" is not'],
    ["does not run", () => scripts({ pulumi: "#!/bin/sh\nexit 1\n" }), "gives no version: exit status 1"],
  ])("is not the user's own one if that %s", async (_, fake, words) => {
    await expect(fromPath(environment(fake()))).rejects.toThrow(words);
  });

  it("is built once by two set-ups at the same time if the installer fails and an earlier set-up was killed", async () => {
    const calls = join(ownFolder(), "calls");
    const go = [
      "#!/bin/sh",
      `echo "$*" >> ${calls}`,
      'while [ "$1" != -o ]; do shift; done',
      `printf '#!/bin/sh\\necho v${ownVersion}\\n' > "$2"; /bin/chmod 755 "$2"`,
    ];
    const env = environment(scripts({ go: go.join("\n") }));
    const place = placeIn(env);
    writeFiles(join(place, "bin"), { pulumi: "cut sho" });
    writeFiles(`${place}.tmp`, { "bin/pulumi": "left over" });
    writeFiles(env.PULUMI_OBSERVABILITY_CACHE, { [`pulumi-${ownVersion}.lock/999999999-killed`]: "" });

    const [one, two] = await Promise.all([1, 2].map(() => ensurePulumi({ env, log }, installer)));
    expect(one).toMatchObject({ version: ownVersion, bin: join(place, "bin") });
    expect(two).toEqual(one);
    expect(readFileSync(calls, "utf8").match(/^build -mod=readonly -trimpath /gm)).toHaveLength(2);
    const left = readdirSync(env.PULUMI_OBSERVABILITY_CACHE).filter((name) => name.startsWith("pulumi-"));
    expect(left).toEqual([`pulumi-${ownVersion}`]);
  });

  it("is missing with a message that names each way that was tried", async () => {
    const failure = ensurePulumi({ env: environment(fakeCli("3.100.0")), log }, installer);
    await expect(failure).rejects.toThrow(/PATH: .*older than(.*\n)+.*installer: fetch failed\n.*no "go" on PATH\n/);
  });
});

describe("the environment for the CLI", () => {
  it("has nothing of the user's login, stacks or service, and everything else", () => {
    const users = {
      PATH: `/usr/bin${delimiter}/cli`,
      HOME: "/home/user",
      PULUMI_ACCESS_TOKEN: "the-users",
      PULUMI_BACKEND_URL: "https://the-users",
      PULUMI_STACK: "the-users",
      PULUMI_HOME: "/the/users",
      PULUMI_CONFIG_PASSPHRASE_FILE: "/the/users",
      PULUMI_OBSERVABILITY_CACHE: "/cache",
      OBSERVABILITY_API_TOKEN: "the-users",
      OBSERVABILITY_BASE_URL: "https://the-users",
    };
    const folder = join(ownFolder(), "with space");
    const [home, backend] = [join(folder, "home"), join(folder, "state")];
    expect(pulumiEnv({ home, backend, env: users, pulumi: "/cli/pulumi" })).toEqual({
      PATH: `/cli${delimiter}/usr/bin`,
      HOME: "/home/user",
      PULUMI_OBSERVABILITY_CACHE: "/cache",
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${encodeURI(backend)}`,
      PULUMI_CONFIG_PASSPHRASE: "local",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    });
    expect(existsSync(backend)).toBe(true);
  });
});

it("a Node.js that is too old is rejected", () => {
  expect(() => checkNode("20.18.0")).toThrow("this is Node.js 20.18.0; install Node.js 20.18.1 or newer");
  expect(() => checkNode("20.18.1")).not.toThrow();
});
