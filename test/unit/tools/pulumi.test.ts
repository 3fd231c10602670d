import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../tools/project.mjs";
import {
  cacheFolder,
  cliFiles,
  complete,
  fromCache,
  fromPath,
  minimumVersion,
  ownVersion,
  placeIn,
  pulumiEnv,
  withPath,
} from "../../../tools/pulumi.mjs";
import { goVersion } from "../../../tools/pulumi-get.mjs";
import { checkNode, ensurePulumi, ensurePulumiVersion } from "../../../tools/setup.mjs";
import { keptLog, script, write } from "./folders";
import { ownFolder } from "../../support/folders";

// The fakes are shell scripts.
const onPosix = describe.skipIf(process.platform === "win32");

/** A folder with a CLI that answers `version`. */
function fakeCli(folder: string, version: string, files: readonly string[] = cliFiles): string {
  for (const file of files) script(join(folder, file), `echo v${version}`);
  return folder;
}

/** A PATH of these folders alone, and a cache of its own. */
const environment = (...folders: string[]) => ({
  PATH: folders.join(delimiter),
  PULUMI_OBSERVABILITY_CACHE: ownFolder(),
});

/** Pulumi's installer on a machine without a network. */
const offline = () => write(join(ownFolder(), "installer.mjs"), 'console.error("fetch failed"); process.exit(1);');

/** Go that writes binaries which answer like the CLI; it keeps what it was called with in `calls`. */
const goodGo = (folder: string, version = ownVersion) =>
  script(
    join(folder, "go"),
    `echo "$GOWORK $*" >> ${folder}/calls`,
    'if [ "$1" = version ]; then echo "go version go1.99.0 any/any"; exit; fi',
    'while [ "$1" != -o ]; do shift; done',
    `printf '#!/bin/sh\\necho v${version}\\n' > "$2"; /bin/chmod 755 "$2"`,
  );

onPosix("the user's own CLI", () => {
  it("is taken where it is new enough and has its language host and shim beside it", async () => {
    const bin = fakeCli(ownFolder(), minimumVersion);
    await expect(fromPath(environment(bin))).resolves.toEqual({
      pulumi: join(bin, "pulumi"),
      bin,
      version: minimumVersion,
      from: "PATH",
    });
  });

  it("may be a link to where its language host is", async () => {
    const real = fakeCli(ownFolder(), minimumVersion);
    const bin = ownFolder();
    symlinkSync(join(real, "pulumi"), join(bin, "pulumi"));
    await expect(fromPath(environment(bin))).resolves.toMatchObject({ pulumi: join(bin, "pulumi") });
  });

  it("may have its language host elsewhere on PATH", async () => {
    const bin = fakeCli(ownFolder(), minimumVersion, ["pulumi"]);
    const hosts = fakeCli(ownFolder(), minimumVersion, ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
    await expect(fromPath(environment(bin, hosts))).resolves.toMatchObject({ bin });
  });

  it.each<[string, (bin: string) => unknown, (bin: string) => string]>([
    [
      "when it is too old",
      (bin) => fakeCli(bin, "3.219.0"),
      (bin) => `${bin}/pulumi is 3.219.0, older than ${minimumVersion}`,
    ],
    [
      "without its language host",
      (bin) => fakeCli(bin, minimumVersion, ["pulumi"]),
      () => 'its "pulumi-language-nodejs" is not',
    ],
    ["when it does not run", (bin) => script(join(bin, "pulumi"), "exit 1"), () => "gives no answer"],
  ])("is passed over %s", async (_, put, words) => {
    const bin = ownFolder();
    put(bin);
    await expect(fromPath(environment(bin))).rejects.toThrow(words(bin));
  });

  it("is asked its version in a home of ours", async () => {
    const bin = fakeCli(ownFolder(), minimumVersion);
    const seen = join(bin, "seen");
    script(join(bin, "pulumi"), `echo "$PULUMI_HOME,$PULUMI_ACCESS_TOKEN" > ${seen}`, `echo v${minimumVersion}`);
    const env = { ...environment(bin), PULUMI_HOME: "/the/users", PULUMI_ACCESS_TOKEN: "the-users" };
    await fromPath(env);
    expect(readFileSync(seen, "utf8")).toBe(`${join(env.PULUMI_OBSERVABILITY_CACHE, "home")},\n`);
  });
});

onPosix("the cached CLI", () => {
  async function filledCache() {
    const env = environment();
    const cache = env.PULUMI_OBSERVABILITY_CACHE;
    fakeCli(join(placeIn(cache), "bin"), ownVersion);
    await complete(placeIn(cache), "a test", env);
    return { env, cache, bin: join(placeIn(cache), "bin") };
  }

  it("is taken once it is complete", async () => {
    const { env, cache, bin } = await filledCache();
    await expect(fromCache(cache, env)).resolves.toMatchObject({ bin, version: ownVersion, from: "a test" });
  });

  it("is not taken while it is half-done", async () => {
    const { env, cache } = await filledCache();
    rmSync(join(placeIn(cache), "complete.json"));
    await expect(fromCache(cache, env)).rejects.toThrow("is half-done");
  });

  it("is not taken when a file is gone or cut short", async () => {
    const { env, cache, bin } = await filledCache();
    truncateSync(join(bin, "pulumi-language-nodejs"), 3);
    await expect(fromCache(cache, env)).rejects.toThrow('"pulumi-language-nodejs" is not as it was');
    rmSync(join(bin, "pulumi-language-nodejs"));
    await expect(fromCache(cache, env)).rejects.toThrow('"pulumi-language-nodejs" is not as it was');
  });

  it("is not declared complete with a file missing or another version", async () => {
    const folder = ownFolder();
    fakeCli(join(folder, "bin"), ownVersion, ["pulumi", "pulumi-language-nodejs"]);
    await expect(complete(folder, "a test", environment())).rejects.toThrow('no "pulumi-resource-pulumi-nodejs"');
    fakeCli(join(folder, "bin"), "3.1.0");
    await expect(complete(folder, "a test", environment())).rejects.toThrow("answers 3.1.0");
  });

  it.each([
    [{ PULUMI_OBSERVABILITY_CACHE: "/a", XDG_CACHE_HOME: "/b", HOME: "/h" }, "linux", "/a"],
    [{ XDG_CACHE_HOME: "/b", HOME: "/h" }, "linux", "/b/pulumi-observability"],
    [{ XDG_CACHE_HOME: "relative", HOME: "/h" }, "linux", "/h/.cache/pulumi-observability"],
    [{ HOME: "/h" }, "darwin", "/h/Library/Caches/pulumi-observability"],
    [{ HOME: "/h", LOCALAPPDATA: "/l" }, "win32", "/l/pulumi-observability"],
  ] as const)("is under %j on %s in %s", (env, platform, folder) => {
    expect(cacheFolder(env, platform)).toBe(folder);
  });
});

onPosix("bringing a CLI", () => {
  /** Go that builds, and an environment with nothing else on PATH. */
  function withGo(version = ownVersion) {
    const tools = ownFolder();
    goodGo(tools, version);
    const builds = () =>
      readFileSync(join(tools, "calls"), "utf8")
        .split("\n")
        .filter((line) => line.includes(" build "));
    return { env: environment(tools), builds };
  }
  /** Where the installer fails. */
  const bring = (env: NodeJS.ProcessEnv, log = keptLog()) => ensurePulumi({ env, log }, { installer: offline() });
  const failureOf = (env: NodeJS.ProcessEnv): Promise<string> =>
    bring(env).then(String, (error: Error) => error.message);

  it("builds it with Go where the installer fails, from the locked modules alone", async () => {
    const { env, builds } = withGo();
    const log = keptLog();
    const cli = await bring(env, log);
    expect(cli).toMatchObject({
      version: ownVersion,
      from: "Go",
      bin: join(placeIn(env.PULUMI_OBSERVABILITY_CACHE), "bin"),
    });
    expect(readdirSync(cli.bin).sort()).toEqual([...cliFiles].sort());
    expect(builds()).toHaveLength(2);
    for (const build of builds()) expect(build).toMatch(/^off build -mod=readonly -trimpath /);
    expect(log.lines).toEqual([
      'no Pulumi CLI from PATH: no "pulumi" there',
      `no Pulumi CLI from the cache: no pulumi-${ownVersion} in ${env.PULUMI_OBSERVABILITY_CACHE}`,
      `fetching the Pulumi CLI ${ownVersion} with its own installer`,
      "no Pulumi CLI from Pulumi's installer: fetch failed",
      "building takes some 5 minutes, this once",
      `building the Pulumi CLI ${ownVersion} with Go`,
      "building its language host with Go",
    ]);
  });

  it("says nothing when the cache has it", async () => {
    const { env } = withGo();
    await bring(env);
    const log = keptLog();
    await ensurePulumi({ env: { ...env, PATH: "" }, log });
    expect(log.lines).toEqual([]);
  });

  it("repairs a half-done cache and sweeps what dead set-ups left", async () => {
    const { env } = withGo();
    const place = placeIn(env.PULUMI_OBSERVABILITY_CACHE);
    write(join(place, "bin/pulumi"), "cut sho");
    write(join(`${place}.tmp-999999999`, "bin/pulumi"), "left over");
    write(`${place}.lock`, "999999999");
    await expect(bring(env)).resolves.toMatchObject({
      version: ownVersion,
    });
    expect(readdirSync(env.PULUMI_OBSERVABILITY_CACHE).filter((name) => name.startsWith("pulumi-"))).toEqual([
      `pulumi-${ownVersion}`,
    ]);
  });

  it("takes what the installer brings", async () => {
    const env = environment();
    const installer = write(
      join(ownFolder(), "installer.mjs"),
      `import { writeFileSync } from "node:fs";
       const [folder, version] = process.argv.slice(2);
       for (const file of ${JSON.stringify(cliFiles)})
         writeFileSync(folder + "/bin/" + file, "#!/bin/sh\\necho v" + version + "\\n", { mode: 0o755 });`,
    );
    await expect(ensurePulumi({ env, log: keptLog() }, { installer })).resolves.toMatchObject({
      from: "Pulumi's installer",
    });
  });

  it("is done once by two set-ups at the same time", async () => {
    const { env, builds } = withGo();
    const [one, two] = await Promise.all([bring(env), bring(env)]);
    expect(one).toEqual(two);
    expect(builds()).toHaveLength(2);
  });

  it("says in one message what was tried, why it failed and what to install", async () => {
    const old = fakeCli(ownFolder(), "3.100.0");
    const env = environment(old);
    const failure = await failureOf(env);
    expect(failure.split("\n")).toEqual([
      "unable to find, fetch or build a Pulumi CLI; tried:",
      `  PATH: ${old}/pulumi is 3.100.0, older than ${minimumVersion}`,
      `  the cache: no pulumi-${ownVersion} in ${env.PULUMI_OBSERVABILITY_CACHE}`,
      "  Pulumi's installer: fetch failed",
      '  a Go build: no "go" on PATH',
      `install the Pulumi CLI ${minimumVersion} or newer (https://www.pulumi.com/docs/install/), or Go ${goVersion} or newer (https://go.dev/dl/), then run this again`,
    ]);
    expect(readdirSync(env.PULUMI_OBSERVABILITY_CACHE).filter((name) => name.startsWith("pulumi-"))).toEqual([]);
  });

  it("gives the user's own CLI a line when it is passed over, even where the cache helps", async () => {
    const { env } = withGo();
    await bring(env);
    const old = fakeCli(ownFolder(), "3.100.0");
    const log = keptLog();
    await ensurePulumi({ env: { ...env, PATH: old }, log });
    expect(log.lines).toEqual([`no Pulumi CLI from PATH: ${old}/pulumi is 3.100.0, older than ${minimumVersion}`]);
  });

  it.each([
    ["is too old", ['echo "go version go1.21.0 any/any"'], `go is 1.21.0, older than ${goVersion}`],
    [
      "cannot fetch a newer Go",
      ['echo "go: downloading go1.25.11 (any/any)" >&2', 'echo "go: download go1.25.11: no such host" >&2', "exit 1"],
      "go: download go1.25.11: no such host",
    ],
    [
      "reaches no proxy",
      [
        '[ "$1" = version ] && echo "go version go1.99.0 any/any" && exit',
        'echo "go: downloading example.com/a v1.0.0" >&2',
        'echo "example.com/a@v1.0.0: Get \\"https://proxy/\\": dial tcp: lookup proxy: no such host" >&2',
        'echo "another line" >&2',
        "exit 1",
      ],
      'go build: example.com/a@v1.0.0: Get "https://proxy/": dial tcp: lookup proxy: no such host',
    ],
    [
      "runs out of disk",
      [
        '[ "$1" = version ] && echo "go version go1.99.0 any/any" && exit',
        'echo "# example.com/a" >&2',
        'echo "compile: exit status 1 of something" >&2',
        'echo "example.com/a: copying a to b: write /tmp/b: no space left on device" >&2',
        "exit 1",
      ],
      "go build: write /tmp/b: no space left on device; a build needs about 4 GB",
    ],
  ])("gives Go's own words when it %s", async (_, lines, words) => {
    const tools = ownFolder();
    script(join(tools, "go"), ...lines);
    expect(await failureOf(environment(tools))).toContain(words);
  });

  it("says so when the cache is no folder that it can write", async () => {
    const file = write(join(ownFolder(), "a-file"), "");
    const env = { PATH: "", PULUMI_OBSERVABILITY_CACHE: file };
    const failure = await failureOf(env);
    expect(failure).toContain("set PULUMI_OBSERVABILITY_CACHE to another folder");
  });

  it.each([
    [ownVersion, "pulumi-cli"],
    [minimumVersion, "pulumi-cli-oldest"],
  ])("builds the version %s that its Go module pins", async (version, module) => {
    const goMod = readFileSync(join(root, "tools", module, "go.mod"), "utf8");
    expect(goMod).toContain(`require github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
    expect(goMod).toContain(`go ${goVersion}\n`);
    const { env, builds } = withGo(version);
    await expect(
      ensurePulumiVersion(version, { env, log: keptLog() }, { installer: offline() }),
    ).resolves.toMatchObject({ version, bin: join(placeIn(env.PULUMI_OBSERVABILITY_CACHE, version), "bin") });
    expect(builds()[0]).toContain(`Version=v${version} `);
  });
});

describe("the environment for the CLI", () => {
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

  it("holds nothing of the user's login, stacks or service, and all of the rest", () => {
    const folder = join(ownFolder(), "with space");
    const env = pulumiEnv({
      home: join(folder, "home"),
      backend: join(folder, "state"),
      env: users,
      pulumi: "/cli/pulumi",
    });
    expect(env).toEqual({
      PATH: `/cli${delimiter}/usr/bin`,
      HOME: "/home/user",
      PULUMI_OBSERVABILITY_CACHE: "/cache",
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${encodeURI(join(folder, "state"))}`,
      PULUMI_CONFIG_PASSPHRASE: "local",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    });
    expect(existsSync(join(folder, "state"))).toBe(true);
  });

  it("keeps the spelling of PATH that Windows has", () => {
    expect(withPath({ Path: "/a" }, "/cli")).toEqual({ Path: `/cli${delimiter}/a` });
  });
});

describe("Node.js", () => {
  it("is refused when it is too old", () => {
    expect(() => checkNode("20.18.0")).toThrow("this is Node.js 20.18.0; install Node.js 20.18.1 or newer");
    expect(() => checkNode("20.18.1")).not.toThrow();
  });
});
