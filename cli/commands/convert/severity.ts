import type { Place } from "./part";
import type { Remarks } from "./report";

/** The severities of a monitor. */
export type Severity = "critical" | "warn";

const known: Readonly<Record<Severity, readonly string[]>> = {
  critical: ["critical", "crit", "page", "pager", "emergency", "fatal", "error", "major", "high"],
  warn: ["warning", "warn", "ticket", "minor", "medium", "low", "info", "informational", "notice", "none"],
};
// What another word says just so.
const exact = ["critical", "page", "warning", "warn", "ticket"];

/** Which of the two severities a label's value means. What it cannot tell is critical, so that nobody sleeps on. */
export function severityOf(value: string | undefined, at: Place, remarks: Remarks): Severity {
  const word = value?.toLowerCase() ?? "";
  const severity = (["critical", "warn"] as const).find((each) => known[each].includes(word));
  if (value === undefined || value === "") remarks.lose(at, "it has no severity, so it is critical");
  else if (severity === undefined)
    remarks.lose(at, `the severity ${JSON.stringify(value)} is not known, so it is critical`);
  else if (!exact.includes(word))
    remarks.lose(at, `the severity ${JSON.stringify(value)} becomes ${severity}: there are only critical and warn`);
  return severity ?? "critical";
}
