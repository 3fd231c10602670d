import { existsSync, readdirSync } from "node:fs";
import { namespace } from "../../provider/schema/names";
import type { Kind } from "../../provider/schema/kind";
import type { Output } from "../output/output";
import { projectIn } from "../pulumi/pulumi";
import type { Folder } from "./folder";
import type { Item } from "./item";

export const countByKind = (items: readonly Item[], kinds: readonly Kind[]): Readonly<Record<string, number>> =>
  Object.fromEntries(kinds.map((kind) => [kind.name, items.filter((item) => item.kind === kind).length]));

/** The command that changes to a folder; none for the current one. */
export const stepsInto = (folder: string): readonly string[] =>
  folder === "." ? [] : [`cd ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}`];

/**
 * The commands from a written program to its first preview. A stack that exists is taken as it is.
 * @param secrets Their names in stack config.
 * @param baseUrl The URL of the service, if it is known.
 */
export function nextSteps(
  out: string,
  secrets: readonly string[],
  steps: readonly string[],
  baseUrl = "<URL>",
): readonly string[] {
  const isSetUp = existsSync(out) && readdirSync(out).some((name) => /^Pulumi\..+\.ya?ml$/.test(name));
  return [
    ...stepsInto(out),
    ...(isSetUp
      ? []
      : ["npm install", "pulumi stack select --create dev", `pulumi config set observability:baseUrl ${baseUrl}`]),
    // Without a value on the command line the CLI asks for it, and it gets into no history.
    ...[...(isSetUp ? [] : [`${namespace}:apiToken`]), ...secrets].map((key) => `pulumi config set --secret ${key}`),
    ...steps,
  ];
}

/** Tells what was written into a folder. */
export function tellWritten(
  output: Output,
  { path: out, written }: Folder,
  counts: Readonly<Record<string, number>>,
): void {
  const parts = Object.entries(counts).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]));
  output.line(`wrote ${written.length} files to "${out}", which declare ${parts.join(", ")}`);
  const runtime = [out, "."].flatMap((folder) => projectIn(folder).runtime ?? []).find((each) => each !== "nodejs");
  if (runtime !== undefined) {
    output.warn(
      `the files are TypeScript, but Pulumi.yaml has the runtime ${JSON.stringify(runtime)}. Use them in a project of ` +
        `their own, with the runtime nodejs, or declare the objects in your language with the option adopt: "identical"`,
    );
  }
}

/** Tells lines under a title, if there are some. */
export function tellList(output: Output, title: string, lines: readonly string[]): void {
  if (lines.length > 0) output.line(["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
}

/** Tells what to do next. */
export function tellNext(output: Output, { missingLines }: Folder, next: readonly string[]): void {
  const lines = missingLines.map(({ file, text }) => (file === "index.ts" ? text : `${text} // in ${file}`));
  tellList(output, "Without these lines in index.ts, the program doesn't declare all resources:", lines);
  tellList(output, "Next:", next);
}
