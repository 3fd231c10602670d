import type { ConversionBuilder } from "./conversionBuilder";
import type { SourceNode } from "../../source/sourceNode";

/** A text of a file that Grafana provisions, in which `$$` is a dollar sign. @param tell Gets each environment variable. */
export const provisioned = (text: string, tell: (variable: string) => void): string =>
  text.replace(/\$(?:\$|\{\w+\}|[A-Za-z_]\w*)/g, (found) => {
    if (found === "$$") return "$";
    tell(found);
    return found;
  });

/** A text as Grafana reads it, in a provisioned file or elsewhere. Its annotations stay as they are. */
export function asRead(
  node: SourceNode,
  { isFile = false }: { readonly isFile?: boolean },
  { lose }: ConversionBuilder,
): string | undefined {
  const { text } = node;
  if (!isFile || text === undefined) return text;
  return provisioned(text, (found) => lose(node, variableStays(found, text)));
}

export const variableStays = (variable: string, text: string) =>
  `${variable} in ${JSON.stringify(text)} stays: Grafana replaces it by the environment variable of this name`;
