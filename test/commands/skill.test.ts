import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../install/manifest.js";
import { deepTest } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";
import { blocksIn, compile, runLine, textOf } from "./pages.js";

const page = "skills/pulumi-observability/SKILL.md";
const text = textOf(page);

test("the skill has the front matter of the format, and at most 200 lines", () => {
  const { name, description, compatibility } = parse(text.split("---\n")[1] ?? "");
  expect(page).toBe(`skills/${name}/SKILL.md`);
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(compatibility.length).toBeLessThanOrEqual(500);
  expect(text.split("\n").length).toBeLessThanOrEqual(200);
});

test("its pages, options, arguments and classes are those of the docs", () => {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.md$/.test(name),
  );
  const docs = pages.map((name) => textOf(`docs/${name}`)).join("\n");
  const quoted = [...text.replace(/^```[^]*?^```/gm, "").matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each);
  const names = quoted.flatMap((each) =>
    [...each.matchAll(/[\w./-]+\.md|--[a-z-]+|^[a-z][\w-]+$|[a-z]+[A-Z]\w*/g)].map(String),
  );
  expect(names.length).toBeGreaterThan(40);
  const isKnown = (name: string) =>
    name.endsWith(".md") ? pages.includes(name.replace("docs/", "")) : new RegExp(`${name}\\b`).test(docs);
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});

deepTest("its program and each of its commands work", async () => {
  const service = await ownService();
  const blocks = blocksIn(page);
  const program = blocks.find(({ language }) => language === "ts")?.text ?? "";
  const project = newProject(service.url, compile(program));
  await project.init("dev");
  mkdirSync(project.at("node_modules"));
  symlinkSync(root, project.at("node_modules/pulumi-observability"));
  await project.done("up", "--yes");
  const lines = blocks.flatMap((block) => (block.language === "sh" ? block.text.trim().split("\n") : []));
  expect(lines).toHaveLength(7);
  for (const line of lines) {
    const { code, text } = await runLine(line, { cwd: project.folders.project, env: project.env });
    expect(code, `${line}\n${text}`).toBe(0);
  }
});
