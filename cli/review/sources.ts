import { basename } from "node:path";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { fileLabel, readText } from "../output/files";
import { CommandError, type Output, reasonOf } from "../output/output";
import { failedPreview, type StackPreview, stackPreviewOf, withFailure } from "../preview/stackPreview";
import { digestOf, haveTexts, isDigest, isRefreshed, readJson } from "../preview/digest";
import { stackLabel, previewStacks } from "../pulumi/previews";
import { stacksIn, type StackTarget } from "../pulumi/pulumi";
import { type Risk, riskClasses } from "../consequences/risk";
import type { Broken, Review } from "./review";

/** The options that select the stacks and the form of the result. */
export interface StackFlags {
  readonly stack?: readonly string[];
  readonly allStacks?: boolean;
  readonly from?: readonly string[];
  readonly parallel: number;
  readonly previewOption?: readonly string[];
  readonly markdown?: string;
}

export interface Source {
  readonly preview: StackPreview;
  /** The folder of the program; the current one if only its output is known. */
  readonly folder: string;
  /** The stack, if this command previewed it. */
  readonly target?: StackTarget | undefined;
}

/** The previews, and the reports of other jobs. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly reports: readonly Review[];
}

/** Previews the stacks that the arguments name, or reads previews from files. */
export async function sourcesOf(
  folders: readonly string[],
  { from, previewOption = [], parallel, ...flags }: StackFlags,
  { refresh, sames }: { readonly refresh: boolean; readonly sames: boolean },
  output: Output,
): Promise<Sources> {
  if (from !== undefined) {
    if (folders.length === 0) return readSources(from, refresh);
    throw new CommandError("--from reads previews from files: remove the folders from the arguments");
  }
  const { targets, failed } = await targetsOf(folders.length === 0 ? ["."] : folders, flags);
  let done = 0;
  const onEnd = ({ stack }: StackPreview) => {
    done += 1;
    if (targets.length > 1) output.progress(`previewed ${done} of ${targets.length} stacks: ${stack}`);
  };
  const previews = await previewStacks(targets, { refresh, sames, args: previewOption, parallel, onEnd });
  const sources = previews.map((preview, i) => ({ preview, folder: targets[i]?.folder ?? ".", target: targets[i] }));
  return { sources: [...sources, ...failed], reports: [] };
}

async function targetsOf(
  folders: readonly string[],
  { stack = [], allStacks = false }: Pick<StackFlags, "stack" | "allStacks">,
): Promise<{ readonly targets: readonly StackTarget[]; readonly failed: readonly Source[] }> {
  const targets: StackTarget[] = [];
  const failed: Source[] = [];
  const named = stack.length > 0 ? stack : [undefined];
  for (const folder of folders) {
    try {
      const names = allStacks ? await stacksIn(folder) : named;
      targets.push(...names.map((name) => ({ folder, stack: name })));
    } catch (error) {
      const label = stackLabel({ folder, stack: "(its stacks)" });
      failed.push({ folder, preview: failedPreview(label, reasonOf(error)) });
    }
  }
  if (targets.length + failed.length === 0) throw new CommandError("there is no stack to preview");
  return { targets, failed };
}

/**
 * Reads each file on its own: an unreadable file is reported as a failed stack with its name.
 * @param refresh Whether the previews must have refreshed.
 */
function readSources(files: readonly string[], refresh: boolean): Sources {
  const sources: Source[] = [];
  const reports: Review[] = [];
  for (const file of new Set(files)) {
    const [source, label] = [fileLabel(file), basename(file, ".json")];
    try {
      const value = readJson(readText(file), source);
      const report = reportIn(value, source);
      if (report !== undefined) reports.push(report);
      else {
        const digest = digestOf(value, source);
        const preview = stackPreviewOf(digest, label);
        sources.push({ preview: refresh && !isRefreshed(digest) ? withFailure(preview, stale) : preview, folder: "." });
      }
    } catch (error) {
      sources.push({ preview: failedPreview(label, reasonOf(error)), folder: "." });
    }
  }
  return { sources, reports };
}

const stale = 'nothing was refreshed, so no edit can be found: write this file with "pulumi preview --refresh --json"';

/** What `--json` of this version printed; undefined for the output of `pulumi preview`. */
function reportIn(value: unknown, source: string): Review | undefined {
  if (!isObject(value) || isDigest(value) || typeof value.version !== "number") return undefined;
  const { version, stacks, risks: open = [], violations = [], accepted } = value as JsonObject & Partial<Review>;
  if (Number(version) > 1) throw new CommandError(`${source} was written by a newer version of pulumi-observability`);
  const isIn = ({ stack }: Risk | Broken) => stacks?.some((each) => each.stack === stack) === true;
  const risks = [open, accepted?.risks ?? []].flat();
  const isWhole =
    haveTexts(stacks, ["stack"]) &&
    haveTexts(risks, ["kind", "name", "direction", "sentence"]) &&
    haveTexts(violations, ["kind", "name", "rule", "message"]) &&
    [...risks, ...violations].every(isIn) &&
    risks.every((risk) => riskClasses.includes(risk.class));
  if (!isWhole) throw new CommandError(`${source} is not what "--json" prints`);
  return value as unknown as Review;
}
