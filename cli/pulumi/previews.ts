import { basename, resolve } from "node:path";
import { Limiter } from "../../provider/client/limiter";
import { fileLabel, readText } from "../output/files";
import { CommandError, reasonOf } from "../output/output";
import { failedPreview, type StackPreview, stackPreviewOf, withFailure } from "../preview/stackPreview";
import { parseDigest } from "../preview/digest";
import { projectIn, pulumi, stackArgs, type StackTarget } from "./pulumi";

interface PreviewOptions {
  /** Whether each object is read first, so that edits made elsewhere show. */
  readonly refresh?: boolean;
  /** Whether unchanged resources are listed too. */
  readonly sames?: boolean;
  /** Further options for `pulumi preview`. */
  readonly args?: readonly string[];
  /** How many previews run at a time. */
  readonly parallel: number;
  readonly onEnd?: (preview: StackPreview) => void;
}

/** Previews stacks with the Pulumi CLI. A failed preview does not stop the others. */
export async function previewStacks(
  targets: readonly StackTarget[],
  { parallel, onEnd, ...options }: PreviewOptions,
): Promise<readonly StackPreview[]> {
  const limiter = new Limiter(parallel);
  return Promise.all(
    targets.map((target) =>
      limiter.during(async () => {
        const preview = await previewStack(target, options).catch((error: unknown) =>
          failedPreview(stackLabel(target), reasonOf(error)),
        );
        onEnd?.(preview);
        return preview;
      }),
    ),
  );
}

async function previewStack(
  target: StackTarget,
  { refresh = false, sames = false, args = [] }: Omit<PreviewOptions, "parallel" | "onEnd">,
): Promise<StackPreview> {
  const { status, stdout, reason } = await pulumi(target.folder, [
    "preview",
    "--json",
    ...stackArgs(target),
    ...(refresh ? ["--refresh"] : []),
    ...(sames ? ["--show-sames"] : []),
    ...args,
  ]);
  const label = stackLabel(target);
  // The preview did not start: no such stack, a wrong passphrase, another update in progress.
  if (stdout.trim() === "")
    return failedPreview(label, reason || `"pulumi preview" exited with status ${status} and printed nothing`);
  try {
    const preview = stackPreviewOf(parseDigest(stdout, 'the output of "pulumi preview"'), label, process.env);
    if (status === 0 || preview.isFailed) return preview;
    return withFailure(preview, reason || `"pulumi preview" exited with status ${status}`);
  } catch (error) {
    return failedPreview(label, [reasonOf(error), reason].filter(Boolean).join("\n"));
  }
}

/** `project/stack`, as far as it is known without the engine. */
export function stackLabel({ folder, stack = "(the selected stack)" }: StackTarget): string {
  // A full name contains the project: "organization/project/stack".
  const [name = stack, project = projectIn(folder).name ?? basename(resolve(folder))] = stack.split("/").reverse();
  return `${project}/${name}`;
}

/** Where a preview comes from. */
export interface PreviewSource {
  /** The folder of the program; by default the current one. */
  readonly folder?: string;
  /** The stack; by default the selected one. */
  readonly stack?: string | undefined;
  /** A file with what `pulumi preview --json --show-sames` has printed; `-` is standard input. */
  readonly from?: string | undefined;
}

/**
 * Previews a stack of a program, or reads a preview.
 * @throws {CommandError} if the preview fails, with its errors
 */
export async function readPreview({ folder = ".", stack, from: file }: PreviewSource): Promise<StackPreview> {
  const preview =
    file === undefined
      ? await previewStack({ folder, stack }, { sames: true })
      : stackPreviewOf(parseDigest(readText(file), fileLabel(file)), file);
  if (!preview.isFailed) return preview;
  const errors = preview.messages
    .filter(({ severity }) => severity === "error")
    .map(({ about, text }) => `  ${about === undefined ? "" : `${about.kind.name} "${about.name}": `}${text}`);
  throw new CommandError(`the preview of ${preview.stack} failed:\n${errors.join("\n")}`);
}
