import { basename } from "node:path";
import { isObject } from "../../provider/wire/json";
import { fileLabel, readText } from "../report/files";
import { CommandError, type Output } from "../report/output";
import { type StackPreview, stackPreviewOf } from "../stacks/changes";
import { digestOf, isDigest, readJson } from "../stacks/digest";
import { previewStacks, type Target } from "../stacks/previews";
import { stacksIn } from "../stacks/pulumi";
import type { Review } from "./review";

/** What chooses the stacks and the form of the result. */
export interface StackFlags {
  readonly stack?: readonly string[];
  readonly allStacks?: boolean;
  readonly from?: readonly string[];
  readonly parallel: number;
  readonly previewOption?: readonly string[];
  readonly markdown?: string;
}

interface Source {
  readonly preview: StackPreview;
  /** The folder of the program; the current one if only its output is known. */
  readonly folder: string;
}

/** What was previewed, and reports of other jobs. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly reports: readonly Review[];
}

/** Previews the stacks that the command line names, or reads what others have previewed. */
export async function sourcesOf(
  folders: readonly string[],
  { from, previewOption = [], parallel, ...flags }: StackFlags,
  { refresh, sames }: { readonly refresh: boolean; readonly sames: boolean },
  output: Output,
): Promise<Sources> {
  if (from !== undefined) {
    if (folders.length === 0) return readSources(from);
    throw new CommandError("--from reads what was previewed already: name no folder");
  }
  const targets = await targetsOf(folders.length === 0 ? ["."] : folders, flags);
  let done = 0;
  const onEnd = ({ stack }: StackPreview) => {
    done += 1;
    if (targets.length > 1) output.progress(`previewed ${done} of ${targets.length} stacks: ${stack}`);
  };
  const previews = await previewStacks(targets, { refresh, sames, args: previewOption, parallel, onEnd });
  return { sources: previews.map((preview, i) => ({ preview, folder: targets[i]?.folder ?? "." })), reports: [] };
}

async function targetsOf(
  folders: readonly string[],
  { stack = [], allStacks = false }: Pick<StackFlags, "stack" | "allStacks">,
): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const folder of folders) {
    const names: readonly (string | undefined)[] = allStacks
      ? await stacksIn(folder)
      : stack.length > 0
        ? stack
        : [undefined];
    targets.push(...names.map((name) => ({ folder, stack: name })));
  }
  if (targets.length === 0) throw new CommandError("there is no stack to preview");
  return targets;
}

function readSources(files: readonly string[]): Sources {
  const read = files.map((file) => {
    const source = fileLabel(file);
    return { file, source, value: readJson(readText(file), source) };
  });
  return {
    sources: read.flatMap(({ file, source, value }) =>
      isReport(value)
        ? []
        : [{ preview: stackPreviewOf(digestOf(value, source), basename(file, ".json")), folder: "." }],
    ),
    reports: read.flatMap(({ value }) => (isReport(value) ? [value] : [])),
  };
}

/** Whether it is what `--json` of this version printed. */
const isReport = (value: unknown): value is Review =>
  isObject(value) &&
  !isDigest(value) &&
  value.version === 1 &&
  Array.isArray(value.stacks) &&
  Array.isArray(value.risks);
