import { readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../install/manifest.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { newStack } from "../support/engine.js";
import { done } from "../support/monitors.js";
import { ownService } from "../support/service.js";
import { blocksIn, headingsIn, programOf, textOf, typeErrorsIn } from "./pages.js";

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []));

const kindPages = pagesIn("docs/kinds");

/** The programs of a page, or those under one of its headings. */
const codeOf = (page: string, under?: string) =>
  blocksIn(page).flatMap(({ heading, language, text }) =>
    language === "ts" && (under === undefined || heading === under) ? [text] : [],
  );

/** The page that builds one project, step by step. */
const oneProject = "docs/getting-started.md";

/** The programs of a page by path, with one folder for each heading, and the package.json that sets their module system. */
function programsOf(page: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  let last = "";
  blocksIn(page).forEach(({ heading, file, language, text }, i) => {
    const folder = page === oneProject ? page : `${page}/${heading}`;
    if (file === "package.json") files[`${folder}/${file}`] = text;
    if (language !== "ts") return;
    // A block without imports continues the program before it.
    if (text.startsWith("import ")) last = `${folder}/${file ?? `${i}.ts`}`;
    files[last] = (files[last] ?? "") + text;
  });
  return files;
}

test("the programs of all pages compile under strict checks", async () => {
  const folder = ownFolder();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  // The programs of the review page are files of an example.
  const pages = [...pagesIn("docs"), ...kindPages, "README.md"].filter((page) => page !== "docs/review.md");
  const files = pages.flatMap((page) => Object.entries(programsOf(page)));
  for (const [path, text] of files) writeFiles(join(folder, dirname(path)), { [basename(path)]: text });
  const sources = files.flatMap(([path]) => (path.endsWith(".ts") ? [path] : []));
  expect(sources.length).toBeGreaterThan(25);
  expect(await typeErrorsIn(folder, sources)).toEqual([]);
});

// These pages declare objects that other pages declare too: those that they refer to.
const alone = kindPages.filter((page) => (codeOf(page, "Example")[0] ?? "").split("new obs.").length > 2);
const others = kindPages.filter((page) => !alone.includes(page));

// That another stack adopts an equal object of each kind: test/provider/verbs.test.ts.
test.each([[others], ...alone.map((page) => [[page]])])("the objects of %j are created", async (pages) => {
  const stack = await newStack((await ownService()).url);
  const programs = pages.flatMap((page) => ["Example", "Receivers"].flatMap((heading) => codeOf(page, heading)));
  for (const [, name = ""] of programs.join("").matchAll(/requireSecret\("(\w+)"\)/g))
    await stack.setConfig(name, "https://hooks.example.com/a-key", true);
  const { steps } = await done(stack.up(() => programs.map(programOf).forEach((program) => program())));
  expect(steps.create).toBeGreaterThanOrEqual(pages.length);
});

test.each(["largeStacks", "organize", "testing"])(
  "every part of its page that shows something has a test in %s",
  (name) => {
    const tests = textOf(`test/commands/${name}.test.ts`);
    const [, page = ""] = /^const page = "(.*)";$/m.exec(tests) ?? [];
    const headings = headingsIn(page);
    expect(headings.length).toBeGreaterThan(3);
    // Test runners, and what compiles above, with all programs of all pages.
    const others = ["Run the tests", "Schedules"];
    expect(headings.filter((each) => !others.includes(each) && !tests.includes(`"${each}"`))).toEqual([]);
  },
);
