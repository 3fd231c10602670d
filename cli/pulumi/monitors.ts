import type * as pulumi from "@pulumi/pulumi";
import { monitor } from "../../provider/kinds/monitor";
import { unknown } from "../../provider/values/unknown";
import type { MonitorArgs } from "../../sdk/monitor.gen";
import { type Expression, parsePromql } from "../promql/expression";
import { PromqlError } from "../promql/tree";
import { fileLabel, readText } from "../report/files";
import { CommandError } from "../report/output";
import { type Change, type StackPreview, stackPreviewOf } from "../preview/stackPreview";
import { parseDigest } from "../preview/digest";
import { previewStacks } from "./previews";

/** A monitor's arguments, without outputs. */
export type MonitorArguments = pulumi.Unwrap<MonitorArgs>;

/** A monitor of a stack before and after the change that a preview shows. */
export interface MonitorChange extends Pick<Change, "urn" | "name" | "op"> {
  /** The slug, or the Pulumi name if the slug is not known yet. */
  readonly title: string;
  readonly before?: MonitorArguments;
  readonly after?: MonitorArguments;
}

/** The monitors of a stack, each once, with unchanged ones if the preview lists them. */
export function monitorsIn({ changes }: StackPreview): readonly MonitorChange[] {
  const found = new Map<string, MonitorChange>();
  for (const { urn, kind, name, slug, op, before, after } of changes) {
    if (kind !== monitor) continue;
    // A replacement has several steps, and only one of them may have both sides.
    const known = found.get(urn);
    found.set(urn, {
      urn,
      name,
      title: slug ?? known?.title ?? name,
      op: known === undefined ? op : "replace",
      ...known,
      // The provider has checked them.
      ...(before && { before: before as MonitorArguments }),
      ...(after && { after: after as MonitorArguments }),
    });
  }
  return [...found.values()];
}

/** The monitor's query, or why Prometheus cannot evaluate it. */
export function expressionIn({ labelQuery, dottedQuery, loggingQuery }: MonitorArguments): Expression | string {
  if (!labelQuery) {
    if (dottedQuery) return "its dottedQuery is not PromQL";
    return loggingQuery ? "its loggingQuery is not PromQL" : "it has no labelQuery";
  }
  if (labelQuery === unknown) return "its labelQuery is known only after the update";
  try {
    const expression = parsePromql(labelQuery);
    return expression.problem ?? expression;
  } catch (error) {
    if (error instanceof PromqlError) return error.message;
    throw error;
  }
}

/** Where a preview comes from. */
export interface PreviewSource {
  /** The stack; by default the selected one. */
  readonly stack?: string | undefined;
  /** A file with what `pulumi preview --json --show-sames` has printed; `-` is standard input. */
  readonly from?: string | undefined;
}

/**
 * Previews a stack of the program in the current folder, or reads a preview.
 * @throws {CommandError} if the preview fails, with its errors
 */
export async function readPreview({ stack, from: file }: PreviewSource): Promise<StackPreview> {
  const [preview] =
    file === undefined
      ? await previewStacks([{ folder: ".", stack }], { sames: true, parallel: 1 })
      : [stackPreviewOf(parseDigest(readText(file), fileLabel(file)), file)];
  if (preview === undefined) throw new CommandError("there is no stack to preview");
  if (!preview.isFailed) return preview;
  const errors = preview.messages
    .filter(({ severity }) => severity === "error")
    .map(({ about, text }) => `  ${about === undefined ? "" : `${about.kind.name} "${about.name}": `}${text}`);
  throw new CommandError(`the preview of ${preview.stack} failed:\n${errors.join("\n")}`);
}
