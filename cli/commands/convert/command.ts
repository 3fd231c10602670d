import { kinds } from "../../../provider/kinds/index.gen";
import { leaves } from "../../../provider/values/leaves";
import { Folder } from "../../program/folder";
import { ConfigSecret } from "../../program/item";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { idOf } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { filesIn, readText } from "../../report/files";
import { exitStatus, type Output } from "../../report/output";
import { convert } from "./convert";

export interface ConvertOptions {
  readonly out: string;
  readonly groupBy?: string | undefined;
}

/** Writes a program that declares what files of other tools say. */
export function convertFiles(paths: readonly string[], { out, groupBy }: ConvertOptions, output: Output): void {
  const { items, refused, losses } = convert(
    paths.flatMap((path) => filesIn(path, { deep: true })).map((path) => ({ path, text: readText(path) })),
  );
  const folder = new Folder(out);
  const added = items.filter((item) => !Object.hasOwn(folder.declared, idOf(item)));
  const secrets = added.flatMap(({ kind, args }) =>
    leaves(kind.root, args).flatMap(({ value }) => (value instanceof ConfigSecret ? [value.key] : [])),
  );
  const told = { command: "convert", out, refused, losses };
  const converted = items.map(({ kind, name, source }) => ({ kind: kind.name, name, ...source }));
  if (added.length === 0) {
    output.line(items.length === 0 ? "nothing converted" : `nothing new: "${out}" declares all ${items.length} items`);
    output.result({ ...told, converted, files: [], secrets: [], next: [] });
  } else {
    const { files, missingLines } = writeProject(folder, added, { groupBy, secrets });
    const next = nextSteps(out, secrets, "pulumi preview");
    tellWritten(output, { out, counts: countByKind(added, kinds), files, missingLines, next });
    output.result({ ...told, converted, files, secrets, next });
  }
  const names = new Set(items.map(({ name }) => name));
  const ofItems = losses.filter(({ item }) => names.has(item));
  if (ofItems.length > 0) output.warn(`${ofItems.length} losses, each said above its resource`);
  for (const { file, line, item, text } of losses) if (!names.has(item)) output.warn(`${file}:${line}: ${text}`);
  for (const { file, line, reason } of refused) output.warn(`${file}:${line}: not converted: ${reason}`);
  if (refused.length > 0) process.exitCode = exitStatus.refused;
}
