import type * as pulumi from "@pulumi/pulumi";
import { monitor } from "../../provider/kinds/monitor";
import { unknown } from "../../provider/values/unknown";
import type { MonitorArgs } from "../../sdk/monitor.gen";
import { type Expression, parsePromql } from "../promql/expression";
import { PromqlError, readOrError } from "../promql/tree";
import { type Change, changeByUrn, type StackPreview } from "./stackPreview";

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
export const monitorsIn = ({ changes }: StackPreview): readonly MonitorChange[] =>
  [...changeByUrn(changes).values()]
    .filter(({ kind }) => kind === monitor)
    .map(({ urn, name, slug = name, op, before, after }) => ({
      urn,
      name,
      title: slug,
      op,
      // The provider has checked them.
      ...(before && { before: before as MonitorArguments }),
      ...(after && { after: after as MonitorArguments }),
    }));

/** The monitor's query, or why Prometheus cannot evaluate it. */
export function expressionIn({ labelQuery, dottedQuery, loggingQuery }: MonitorArguments): Expression | string {
  if (!labelQuery) {
    if (dottedQuery) return "its dottedQuery is not PromQL";
    return loggingQuery ? "its loggingQuery is not PromQL" : "it has no labelQuery";
  }
  if (labelQuery === unknown) return "its labelQuery is known only after the update";
  const expression = readOrError(() => parsePromql(labelQuery));
  return expression instanceof PromqlError ? expression.message : expression;
}
