import { readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "../install/manifest.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { newStack } from "../support/engine.js";
import { ownService } from "../support/service.js";
import { ts } from "../support/typescript.js";
import { blocksIn, programOf } from "./pages.js";

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []));

const kindPages = pagesIn("docs/kinds");

const codeOf = (page: string) => blocksIn(page).flatMap(({ language, text }) => (language === "ts" ? [text] : []));

/** The page that builds one project, step by step. */
const oneProject = "docs/getting-started.md";

/** The programs of a page by where they stand, those of one heading in one folder; and what says which modules they are. */
function programsOf(page: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  let last = "";
  blocksIn(page).forEach(({ heading, file, language, text }, i) => {
    const folder = page === oneProject ? page : `${page}/${heading}`;
    if (file === "package.json") files[`${folder}/${file}`] = text;
    if (language !== "ts") return;
    // What imports nothing goes on with the program before it.
    if (text.startsWith("import ")) last = `${folder}/${file ?? `${i}.ts`}`;
    files[last] = (files[last] ?? "") + text;
  });
  return files;
}

test("the programs of all pages compile under strict checks", () => {
  const folder = ownFolder();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  // Those of the review are an example's files.
  const pages = [...pagesIn("docs"), ...kindPages, "README.md"].filter((page) => page !== "docs/review.md");
  const files = pages.flatMap((page) => Object.entries(programsOf(page)));
  for (const [path, text] of files) writeFiles(join(folder, dirname(path)), { [basename(path)]: text });
  const sources = files.flatMap(([path]) => (path.endsWith(".ts") ? [join(folder, path)] : []));
  expect(sources.length).toBeGreaterThan(25);
  const program = ts.createProgram(sources, {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    typeRoots: [join(root, "node_modules/@types")],
  });
  const told = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const place = relative(folder, file?.fileName ?? "");
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(told).toEqual([]);
});

// Each of these declares some of what another page declares: the kinds that it refers to.
const alone = [...kindPages.filter((page) => codeOf(page).join("").split("new obs.").length > 2), "README.md"];
const others = kindPages.filter((page) => !alone.includes(page));

test.each([[others], ...alone.map((page) => [[page]])])("the programs of %j are created", async (pages) => {
  const programs = pages.flatMap(codeOf).map(programOf);
  const service = await ownService();
  const stack = await newStack(service.url);
  await stack.setConfig("routingKey", "a-key", true);
  const { failed, text, steps } = await stack.up(() => {
    for (const program of programs) program();
  });
  expect(failed, text).toBe(false);
  expect(steps.create).toBeGreaterThanOrEqual(pages.length);
});
