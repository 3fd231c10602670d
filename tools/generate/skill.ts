import { commandLine } from "../../cli/commandLine";
import type { Kind } from "../../provider/schema/kind";
import { type OwnCommand, escaped } from "./commandLine";
import { pageHeader, table } from "./source";

/** The guide for coding agents, from its template. A skill's file has this name and front matter everywhere. */
export function skill(template: string, byFile: ReadonlyMap<string, Kind>): string {
  const program = commandLine();
  const { commands } = program;
  const failOn = commands.flatMap(({ options }) => options).find(({ long }) => long === "--fail-on");
  const values: Readonly<Record<string, string>> = {
    kinds: table(
      ["Class", "Page", "An object is"],
      [...byFile].map(([file, { name, description }]) => [`\`${name}\``, `\`kinds/${file}.gen.md\``, description]),
    ),
    statuses: statusesOf(program),
    commands: table(
      ["Command", "For", "Exit status"],
      commands.map((each) => [`\`${each.name()}\``, escaped(each.description()), statusesOf(each)]),
    ),
    failOn: escaped(failOn?.description ?? ""),
  };
  const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  // The front matter must come first.
  return text.replace(/^---\n\n/m, `---\n\n${pageHeader("tools/generate/skill.md")}\n\n`);
}

const statusesOf = ({ notes }: OwnCommand) =>
  escaped(notes.flatMap((note) => /^Exit status: (.*)$/.exec(note)?.[1] ?? []).join(" "));
