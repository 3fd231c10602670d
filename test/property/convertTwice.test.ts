import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.js";
import { ownFolder } from "../support/folders.js";
import { corpus } from "./convertCorpus.js";

// The file of plain rules alone is half of the corpus, and the others are like it.
const files = corpus().files.filter(({ path }) => path !== "rules/plain.yml");
const paths = files.map(({ path }) => path);

interface Notes {
  readonly declared: Readonly<
    Record<
      string,
      { readonly file: string; readonly variable: string; readonly converted: { readonly origin: object } }
    >
  >;
}

/** A folder with the corpus, converted in these steps; what it declares, and what a last run over all files says. */
async function converted(...steps: readonly (readonly string[])[]) {
  const folder = ownFolder();
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const run = async (some: readonly string[]) => {
    const { stdout } = await runCommand(folder, ["convert", ...some, "--out", "out", "--json"]);
    return JSON.parse(stdout) as Readonly<Record<string, readonly any[]>>;
  };
  for (const step of steps) await run(step);
  const { declared } = JSON.parse(readFileSync(join(folder, "out/pulumi-observability.json"), "utf8")) as Notes;
  const texts = new Map<string, string>();
  for (const { file, variable } of Object.values(declared)) {
    const text = texts.get(file) ?? readFileSync(join(folder, `out/${file}.ts`), "utf8");
    texts.set(file, text);
    expect(text).toMatch(new RegExp(`^export const ${variable} =`, "m"));
  }
  const origins = Object.values(declared).map(({ converted: { origin } }) => JSON.stringify(origin));
  return { origins: origins.sort(), again: await run(paths) };
}

test("whatever the order in which hundreds of rules are converted, the folder has them all, and knows them again", async () => {
  const half = Math.ceil(paths.length / 2);
  const [first, second] = [paths.slice(0, half), paths.slice(half)];
  const found = await Promise.all([
    converted(first, second),
    converted(second, first),
    converted([...paths].reverse()),
  ]);
  for (const { origins, again } of found) {
    expect(origins.length).toBeGreaterThan(500);
    expect(origins).toEqual(found[0]?.origins);
    expect(again.converted?.length).toBe(origins.length);
    expect(again.converted?.filter(({ state }) => state !== "unchanged")).toEqual([]);
    expect([again.changed, again.removed, again.missing, again.files]).toEqual([[], [], [], []]);
  }
}, 300_000);
