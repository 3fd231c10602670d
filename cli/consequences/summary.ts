import { cutText } from "../../provider/base/aroundDifference";
import { legible } from "../meaning/comparable";
import { cutLine, listed, plainly } from "../output/words";
import type { Change } from "../preview/stackPreview";
import { fieldAt } from "./effects";
import { rulesOf } from "./kinds/index";
import type { KnownRouting } from "../source/routes";
import { notifiedBy, notifiedLines } from "./notified";
import { openText, routingOf } from "./routing";
import { secsText, valueText } from "./values";

const longestQuery = 160;

/** What a declaration alerts on, when, and whom it notifies; undefined for a kind that doesn't alert. */
export function summaryOf(change: Change, known: KnownRouting = {}): string | undefined {
  const { kind, after: args } = change;
  const found = args && rulesOf(kind.name).alerting?.(legible(kind.root, args), args);
  if (args === undefined || found === undefined) return undefined;
  const { queries, conditions } = found;
  const queryText = ([field, text]: (typeof queries)[number]) =>
    `${queries.length === 1 ? "" : `${field} `}${cutText(text, longestQuery)}`;
  const interval = args.intervalSecs ?? fieldAt(kind.root, ["intervalSecs"]).field.options.defaultValue;
  const { policy, names, isOpen } = routingOf(args, found, known);
  const lines = notifiedLines(notifiedBy(change, args, known.routes));
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
