import type { SourceNode } from "./sourceNode";
import type { ConversionBuilder } from "./conversionBuilder";

/** A format of another tool. */
export interface Format {
  recognises(node: SourceNode): boolean;
  /** Converts all documents of the format at once, because they refer to each other. */
  convert(nodes: readonly SourceNode[], builder: ConversionBuilder): void;
}
