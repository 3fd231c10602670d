import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import schema from "../../provider/plugin/schema.gen.json" with { type: "json" };
import { blocksIn, filesUnder } from "../commands/pages.js";
import { root } from "../install/manifest.js";
import { cases } from "../support/cases.js";
import { isDeep } from "../support/figures.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { newProject } from "../support/project.js";
import { outputOf } from "../support/run.js";
import { live, ownService, put } from "../support/service.js";
import { encrypted } from "../support/stacks.js";

/** The file of each example's program; and what it declares, with a mistake to replace it. */
const languages = {
  python: {
    main: "__main__.py",
    mistakes: [
      ["interval_secs=30", "interval_secs=-1"],
      ['"objective": 99.9', '"objective": "high"'],
      [`"log_dataset": {"match_criteria": {"query": 'service = "search"'}}`, '"traceDataset": "x"'],
    ],
  },
  yaml: {
    main: "Pulumi.yaml",
    mistakes: [
      ["intervalSecs: 30", "intervalSecs: -1"],
      ["objective: 99.9", "objective: 199.9"],
      ["slugPrefix: staging-", 'slugPrefix: "not a slug "'],
    ],
  },
  go: {
    main: "main.go",
    mistakes: [
      ["pulumi.Int(30)", "pulumi.Int(-1)"],
      ["pulumi.Float64(99.9)", "pulumi.Float64(199.9)"],
      ['logsOf("search")', "obs.DatasetConfigurationArgs{TraceDataset: obs.TraceDatasetArgs{}}"],
    ],
  },
};

/** The number of resources of ours in each example, beside the helper's in Python. */
const count = 9;

/** The folder in which the Python SDK is installed as a user does it, except for what comes from the registry. */
async function sitePackages(): Promise<string> {
  const folder = ownFolder();
  cpSync(join(root, "python"), join(folder, "python"), { recursive: true }); // A build writes into the folder.
  const options = ["--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target", join(folder, "site")];
  const env = { ...process.env, PYTHONPATH: process.env.TEST_PYTHON };
  await outputOf("python3", ["-m", "pip", "install", ...options, join(folder, "python")], { cwd: folder, env });
  return join(folder, "site");
}

/** The examples of all kinds in a language. That of the log allocation declares the dataset, too. */
const examplesIn = (language: string): readonly string[] =>
  Object.entries(schema.resources).flatMap(([token, { description }]) => {
    const [, example = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(description) ?? [];
    expect(example, token).not.toBe("");
    return token.endsWith(":Dataset") ? [] : [example];
  });

/** The Python programs of a page. */
const programsIn = (page: string) =>
  blocksIn(page).flatMap(({ language, text }) => (language === "python" ? [text] : []));

test.for(Object.entries(languages))(
  "the example in %s is previewed with mistakes, created, edited outside, repaired, extended by an import and destroyed",
  async ([name, { main, mistakes }], { skip }) => {
    const missing = process.env[`TEST_NO_${name.toUpperCase()}`];
    skip(missing !== undefined, missing);
    skip(name !== "python" && !isDeep, "only deep runs try it");
    const service = await ownService();
    const packages = name === "python" ? [await sitePackages(), process.env.TEST_PYTHON ?? ""] : [];
    const env = { PYTHONPATH: packages.join(delimiter), PYTHONDONTWRITEBYTECODE: "1", GOWORK: "off" };
    const project = newProject(service.url, "", env, { name: "checkout" });
    cpSync(join(root, "examples", name), project.folders.project, { recursive: true });
    const settings = readFileSync(project.at("Pulumi.yaml"), "utf8");
    writeFileSync(project.at("Pulumi.yaml"), settings.replace("node_modules/.bin", join(root, "node_modules/.bin")));
    if (name === "go") {
      mkdirSync(project.at("sdks"));
      symlinkSync(join(root, "go"), project.at("sdks/observability"));
      await outputOf("go", ["mod", "tidy"], { cwd: project.folders.project, env: project.env });
    }
    await project.init("dev", { "checkout:routingKey": encrypted("canary-key") });
    const example = readFileSync(project.at(main), "utf8");
    const { "alert.py": helper = "", "__main__.py": alert = "" } = filesUnder(
      "docs/organize.md",
      "Share a helper function",
    );
    if (name === "python") writeFileSync(project.at("alert.py"), helper);
    const program = name === "python" ? `${alert}\n${example}` : example;

    if (isDeep) {
      const examples = examplesIn(name);
      if (name === "go") {
        examples.forEach((text, i) => writeFiles(project.at(`example${i}`), { "main.go": text }));
        await outputOf("go", ["vet", "./..."], { cwd: project.folders.project, env: project.env });
      } else {
        // Two pages have a monitor of one name.
        const [page = ""] = programsIn("docs/languages.md").map((text) =>
          text.replace("checkout-errors", "page-errors"),
        );
        const merged = () => Object.assign({}, ...examples.map((text) => parse(text).resources)) as object;
        const text =
          name === "yaml"
            ? stringify({ ...parse(readFileSync(project.at(main), "utf8")), resources: merged(), outputs: {} })
            : [...examples, page].join("\n");
        writeFileSync(project.at(main), text);
        const count = cases.length + (name === "python" ? 2 : 0);
        expect(await project.done("preview")).toContain(`+ ${1 + count} to create`);
      }
    }

    for (const [declared] of mistakes) expect(program).toContain(declared);
    const wrong = mistakes.reduce((text, [declared = "", instead = ""]) => text.replace(declared, instead), program);
    writeFileSync(project.at(main), wrong);
    const { code, text } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    const diagnostics = text.slice(text.indexOf("Diagnostics:"));
    for (const resource of ["checkout-errors", "checkout-availability", "search-logs"])
      expect(diagnostics).toMatch(new RegExp(`\\(${resource}\\):\\n +error: `));
    expect(text).not.toContain("canary");

    writeFileSync(project.at(main), program);
    await project.done("up", "--yes", "--skip-preview");
    expect(JSON.stringify(project.state())).not.toContain("canary");
    expect(await live(service, "Dataset", "staging-search-logs")).toBeDefined();
    const made = project.state().resources.filter(({ outputs }) => outputs?.createdAt);
    expect(made).toHaveLength(name === "python" ? count + 1 : count);

    await put(service, "Dataset", "checkout-logs", { description: "Edited" });
    const repaired = await project.done("up", "--refresh", "--yes", "--skip-preview", "--diff");
    expect(repaired).toMatch(/- description *: "Edited"/);
    expect(repaired).toMatch(/~ 1 updated\n +\d+ unchanged/);
    expect((await live(service, "Dataset", "checkout-logs"))?.description).not.toBe("Edited");

    await put(service, "Monitor", "legacy", { name: "Legacy" });
    // The language hosts that can be built print no programs.
    const options = ["--yes", "--protect=false", ...(name === "yaml" ? [] : ["--generate-code=false"])];
    await project.done("import", "observability:index:Monitor", "legacy", "legacy", ...options);
    expect(project.state().resources).toContainEqual(expect.objectContaining({ id: "legacy" }));
    await project.done("destroy", "--yes", "--skip-preview");
    for (const slug of ["checkout-errors", "legacy"]) expect(await live(service, "Monitor", slug)).toBeUndefined();
  },
);
