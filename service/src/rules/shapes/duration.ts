import type { Problem } from "../../errors.js";
import { quote } from "../../json.js";

/** A duration is in minutes, hours, days or weeks: `90m`, `24h`, `28d`, `4w`. */
export function durationProblems(text: string | undefined, path: string): readonly Problem[] {
  if (/^[1-9]\d*[mhdw]$/.test(text ?? "")) return [];
  return [{ path, message: `expected a duration like 90m, 24h, 28d or 4w, got ${quote(text ?? "")}` }];
}
