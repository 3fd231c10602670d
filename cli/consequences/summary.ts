import { cutText } from "../../provider/base/aroundDifference";
import { cutLine, listed, plainly } from "../output/words";
import type { Change } from "../preview/stackPreview";
import { fieldAt } from "./effects";
import type { KnownRouting } from "../source/routes";
import { alertingOf, notifiedLines } from "./notified";
import { openText } from "./routing";
import { secsText, valueText } from "./values";

const longestQuery = 160;

/** What a declaration alerts on, when, and whom it notifies; undefined for a kind that doesn't alert. */
export function summaryOf(change: Change, known: KnownRouting = {}): string | undefined {
  const { kind, after } = change;
  const found = alertingOf(change, after, known);
  if (found === undefined) return undefined;
  const { queries, conditions, policy, names, isOpen } = found;
  const queryText = ([field, text]: (typeof queries)[number]) =>
    `${queries.length === 1 ? "" : `${field} `}${cutText(text, longestQuery)}`;
  const interval = after?.intervalSecs ?? fieldAt(kind.root, ["intervalSecs"]).field.options.defaultValue;
  const lines = notifiedLines(found.notified);
  const notified = lines.join(", ") || listed([...new Set(names.map(valueText))]);
  const parts = [
    queries.map(queryText).join(", "),
    ...conditions,
    ...(interval === undefined ? [] : [`every ${secsText(interval)}`]),
    ...(notified === "" ? [] : [`notifies ${notified}`]),
    ...(policy && lines.length === 0 ? [`routed by the policy ${valueText(policy)}`] : []),
    ...(isOpen ? [openText(names, known)] : []),
  ];
  return cutLine(plainly(parts.filter(Boolean).join("; ")));
}
