import type { Severity } from "../../../behaviour/signals";
import { severityIn } from "../../promql/severity";
import type { Place } from "./sourceNode";
import type { Remarks } from "./conversionBuilder";

// What another word says just so.
const exact = ["critical", "page", "warning", "warn", "ticket"];

/** Which of the two severities a label's value means. What it cannot tell is critical, so that nobody sleeps on. */
export function severityOf(value: string | undefined, at: Place, remarks: Remarks): Severity {
  const severity = severityIn(value);
  if (value === undefined || value === "") remarks.lose(at, "it has no severity, so it is critical");
  else if (severity === undefined)
    remarks.lose(at, `the severity ${JSON.stringify(value)} is not known, so it is critical`);
  else if (!exact.includes(value.toLowerCase()))
    remarks.lose(at, `the severity ${JSON.stringify(value)} becomes ${severity}: there are only critical and warn`);
  return severity ?? "critical";
}
