import type { Command } from "commander";
import { commandLine } from "../../cli/commandLine";
import type { Kind } from "../../provider/schema/kind";
import { escaped, textAfter } from "./commandLine";
import { header, markdownComment } from "./source";

/** The guide for coding agents, from its template. A skill's file has this name and front matter everywhere. */
export function skill(template: string, byFile: ReadonlyMap<string, Kind>): string {
  const program = commandLine();
  const values: Readonly<Record<string, string>> = {
    kinds: table(
      ["Class", "Page", "An object is"],
      [...byFile].map(([file, { name, description }]) => [`\`${name}\``, `\`kinds/${file}.gen.md\``, description]),
    ),
    statuses: statusesOf(program),
    commands: table(
      ["Command", "For", "Exit status"],
      program.commands.map((each) => [`\`${each.name()}\``, escaped(each.description()), statusesOf(each)]),
    ),
    failOn: escaped(
      program.commands.flatMap(({ options }) => options).find(({ long }) => long === "--fail-on")?.description ?? "",
    ),
  };
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  // The front matter must come first.
  return text.replace(/^---\n\n/m, `---\n\n${header(markdownComment, "tools/generate/skill.md")}\n\n`);
}

const table = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
  [
    `| ${titles.join(" | ")} |`,
    `|${"---|".repeat(titles.length)}`,
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");

const statusesOf = (command: Command) =>
  textAfter(command)
    .flatMap((text) => /^Exit status: (.*)$/.exec(text)?.[1] ?? [])
    .join(" ");
