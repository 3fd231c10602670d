import { severities, type Severity } from "../../sdk/behavior/signals";

const known: Readonly<Record<Severity, readonly string[]>> = {
  critical: ["critical", "crit", "page", "pager", "emergency", "fatal", "error", "major", "high"],
  warn: ["warning", "warn", "ticket", "minor", "medium", "low", "info", "informational", "notice", "none"],
};

/** Which of the two severities the value of a label `severity` means; undefined if it does not tell. */
export function severityIn(value: string | undefined): Severity | undefined {
  const word = value?.toLowerCase() ?? "";
  return severities.find((each) => known[each].includes(word));
}
