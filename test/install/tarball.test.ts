import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { anchorOf } from "../commands/pages.js";
import { expectCompiled, link, typescriptProgram } from "./consumer.js";
import { pack, readManifest, root, run, unpack } from "./manifest.js";
import { ownFolder } from "../support/folders.js";
import * as command from "../support/run.js";

const folder = ownFolder();
const unpacked = join(folder, "package");
let tarball: string;
let files: readonly string[];

beforeAll(async () => {
  tarball = await pack(root, folder);
  await unpack(tarball, unpacked);
  files = readdirSync(unpacked, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(unpacked, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
});

const textOf = (name: string) => readFileSync(join(unpacked, name), "utf8");

describe("the packed package", () => {
  it("contains only compiled code with its types, guides, examples and the usual files", () => {
    const documented =
      /^(dist\/(provider|sdk|behavior|testing|teams)\/[\w/.]+\.(js|d\.ts)|dist\/cli\/[\w/]+\.js|docs\/[\w/.-]+\.(md|png)|dist\/cli\/report\/bundle\.(mjs|css)|examples\/[\w-]+\/((ci|teams)\/)?[\w.-]+\.(ts|mjs|json|yml|yaml|md|py|txt|go|mod)|(provider\/)?\w+\.md|provider\/plugin\/schema\.gen\.json|python\/(README\.md|pyproject\.toml|pulumi_observability\/[\w/.-]+)|skills\/[\w-]+\/SKILL\.md|LICENSE|package\.json)$/;
    expect(files.filter((name) => !documented.test(name) || /\.test\./.test(name))).toEqual([]);
  });

  it("has no link to a missing file or heading", () => {
    const dead = pages().flatMap((page) =>
      [...page.text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^[a-z]+:/.test(link) && !resolves(page.name, link))
        .map((link) => `${page.name} → ${link}`),
    );
    expect(dead, 'pack the file, see "files" in package.json, or name it without a link').toEqual([]);
  });

  it('names commands of a clone only under a heading with "in a clone"', () => {
    const lacking = pages().flatMap(({ name, text }) => {
      const { scripts = {} } = name.startsWith("examples/") ? readManifest(dirname(join(unpacked, name))) : {};
      return sectionsOf(text)
        .filter(({ headings }) => !headings.some((heading) => /\bin a clone\b/i.test(heading)))
        .flatMap((section) => [...section.text.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:-]+)|(test|start)\b)/g)])
        .filter(([, script, usual]) => !(String(script ?? usual) in scripts))
        .map(([command]) => `${name}: ${command}`);
    });
    expect(lacking).toEqual([]);
    expect(
      sectionsOf(textOf("README.md")).find(({ headings }) => headings.includes("Try it in a clone"))?.text,
    ).toMatch(/^npm run demo$[^]*^npm test$/m);
  });

  it("contains no code whose source was deleted", () => {
    const sources = files
      .filter((name) => name.startsWith("dist/") && !name.startsWith("dist/cli/report/bundle."))
      .map((name) => name.replace(/^dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts"));
    expect(
      sources.filter((name) => !existsSync(join(root, name))),
      "remove dist and run: npm run build",
    ).toEqual([]);
  });

  it("refers to no missing source map", () => {
    const pointers = files
      .filter((name) => name.startsWith("dist/"))
      .flatMap((name) => [...textOf(name).matchAll(/sourceMappingURL=(\S+)/g)].map(([, map]) => `${name} → ${map}`));
    expect(pointers).toEqual([]);
  });

  it("is built before it is packed, even in a fresh clone", () => {
    const { prepack, build } = readManifest(root).scripts ?? {};
    expect(prepack).toBe("node tools/sdks.mjs --if-possible");
    expect(build).toMatch(/^node tools\//);
  });

  it("unpacks to less than 2.7 megabytes, and its Python SDK to less than 0.8", () => {
    const bytesOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + statSync(join(unpacked, name)).size, 0);
    const [python, others] = [true, false].map((is) => files.filter((name) => name.startsWith("python/") === is));
    expect(bytesOf(python ?? [])).toBeLessThan(800_000);
    expect(bytesOf(others ?? [])).toBeLessThan(2_700_000);
  });

  it("runs no script when it is installed, and neither do its dependencies", () => {
    const scripts = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];
    const places = [unpacked, ...dependenciesOf(unpacked)];
    expect(places.length).toBeGreaterThan(1);
    const found = places.flatMap((place) => {
      const { name, scripts: own = {} } = readManifest(place);
      // A package from the registry is installed as packed: its `prepare` never runs.
      const run = place === unpacked ? scripts : scripts.slice(0, 3);
      return run.filter((script) => script in own).map((script) => `${name}: ${script}`);
    });
    expect(found).toEqual([]);
    expect(places.filter((place) => existsSync(join(place, "binding.gyp")))).toEqual([]);
  });

  it("compiles and previews every kind in a TypeScript program, with nothing but the dependencies that it names, and says where it declares each resource", async () => {
    const place = join(folder, "consumer");
    // The new compiler takes a sixth of the time; types.test.ts and consumers.test.ts have the old one.
    const compiler = "typescript-native";
    await link(place, { ...typescriptProgram, installs: [...typescriptProgram.installs, compiler] }, tarball);
    await expectCompiled(place, compiler, true);
  });

  it("writes programs that install the same .tgz file", async () => {
    const place = join(folder, "converting");
    const rules = "groups: [{ name: g, rules: [{ alert: Down, expr: up == 0 }] }]";
    const manifest = JSON.stringify({ dependencies: { "pulumi-observability": `file:../${basename(tarball)}` } });
    await link(place, { files: { "package.json": manifest, "rules.yml": rules }, installs: [] }, tarball);
    const main = "node_modules/pulumi-observability/dist/cli/main.js";
    await run(place, ["node", main, "convert", "rules.yml", "--out", "deep/program"]);
    const { dependencies } = readManifest(join(place, "deep/program"));
    expect(dependencies?.["pulumi-observability"]).toBe(`file:../../../${basename(tarball)}`);
  });

  it("passes publint", async () => {
    expect(await run(folder, ["node", toolAt("publint/src/cli.js"), "run", tarball, "--strict"])).toContain(
      "All good!",
    );
  });

  it("resolves with its types in every module system", async () => {
    const args = [toolAt("@arethetypeswrong/cli/dist/index.js"), tarball, "--format", "json"];
    const { stdout } = await command.run(process.execPath, args, { cwd: folder });
    // This entry is for Pulumi's own process, which supports package exports.
    const unsupported = { kind: "NoResolution", entrypoint: "./provider", resolutionKind: "node10" };
    expect(JSON.parse(stdout).analysis.problems).toEqual([unsupported]);
  });
});

/** The Markdown files without comments. */
const pages = () =>
  files
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ name, text: textOf(name).replace(/<!--[^]*?-->/g, "") }));

interface Section {
  /** Its heading and those above it. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Divides a page at its headings. In code, a line with # is not a heading. */
function sectionsOf(page: string): readonly Section[] {
  const sections: { headings: string[]; text: string }[] = [{ headings: [], text: "" }];
  let isCode = false;
  for (const line of page.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks = "", heading = ""] = (isCode ? null : /^(#+) (.*)$/.exec(line)) ?? [];
    const last = sections.at(-1);
    if (marks !== "")
      sections.push({ headings: [...(last?.headings ?? []).slice(0, marks.length - 1), heading], text: "" });
    else if (last !== undefined) last.text += `${line}\n`;
  }
  return sections;
}

/** Whether the target of a link is a packed file, and has the heading that the link names. */
function resolves(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const file = path === "" ? page : posix.join(posix.dirname(page), path);
  if (!files.includes(file)) return false;
  return (
    heading === undefined || sectionsOf(textOf(file)).some(({ headings }) => anchorOf(headings.at(-1)) === heading)
  );
}

/** The folders of all dependencies of a package, in this checkout. */
function dependenciesOf(place: string, found = new Set<string>()): ReadonlySet<string> {
  for (const name of Object.keys(readManifest(place).dependencies ?? {})) {
    const dependency = join(root, "node_modules", name);
    if (found.has(dependency)) continue;
    found.add(dependency);
    dependenciesOf(dependency, found);
  }
  return found;
}

const toolAt = (file: string) => join(root, "node_modules", file);
