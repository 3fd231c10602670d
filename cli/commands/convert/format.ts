import type { Part } from "./part";
import type { Report } from "./report";

/** A format of another tool. */
export interface Format {
  recognises(part: Part): boolean;
  /** Converts all documents of the format at once, because they refer to each other. */
  convert(parts: readonly Part[], report: Report): void;
}
