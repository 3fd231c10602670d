import { severities, type Severity } from "../../sdk/behavior/signals";

const known: Readonly<Record<Severity, readonly string[]>> = {
  critical: ["critical", "crit", "page", "pager", "emergency", "fatal", "error", "major", "high"],
  warn: ["warning", "warn", "ticket", "minor", "medium", "low", "info", "informational", "notice", "none"],
};

/** The usual word for each in rules of Prometheus. */
const words = { critical: "critical", warn: "warning" } as const satisfies Record<Severity, string>;

/** The label `severity` of an alert: its own, if that has the same meaning, as "convert" reads it: unknown ones are critical. */
export const severityLabel = (own: string | undefined, severity: Severity): string =>
  own !== undefined && (severityIn(own) ?? "critical") === severity ? own : words[severity];

/** Which of the two severities the value of a label `severity` means; undefined if it does not tell. */
export function severityIn(value: string | undefined): Severity | undefined {
  const word = value?.toLowerCase() ?? "";
  return severities.find((each) => known[each].includes(word));
}
