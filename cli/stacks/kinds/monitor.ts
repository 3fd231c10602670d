import type { Resources } from "../../../sdk/standards/resources.gen";
import type { Finding } from "../risk";
import { arrow, shown } from "../values";
import { conditionFindings } from "./conditions";
import { overrideFindings } from "./overrides";
import { growing, loosening, rulesFor } from "./rules";
import { scheduleFindings } from "./schedule";
import { policyFindings, textFindings } from "./texts";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it fires no more",
  areas: [
    { path: ["seriesConditions"], class: "laxer", words: "the conditions" },
    { path: ["schedule"], class: "muted", words: "the schedule" },
    { path: ["intervalSecs"], class: "laxer", words: "the interval" },
    { path: ["labelQuery"], class: "query-changed", words: "the query" },
    { path: ["dottedQuery"], class: "query-changed", words: "the query" },
    { path: ["loggingQuery"], class: "query-changed", words: "the query" },
    { path: ["notificationPolicySlug"], class: "target-changed", words: "the notification policy" },
  ],
  changed: (before, after) => {
    const [old, now] = [before.seriesConditions, after.seriesConditions];
    return [
      ...conditionFindings("critical", old?.defaults?.critical?.conditions, now?.defaults?.critical?.conditions),
      ...conditionFindings("warn", old?.defaults?.warn?.conditions, now?.defaults?.warn?.conditions),
      ...overrideFindings(
        old?.overrides,
        now?.overrides,
        now?.defaults?.critical?.conditions ?? now?.defaults?.warn?.conditions,
      ),
      ...scheduleFindings(before.schedule, after.schedule),
      ...intervalFindings(before, after),
      ...queryFindings(before, after),
      ...policyFindings(before, after),
    ];
  },
});

const queries = ["labelQuery", "dottedQuery", "loggingQuery"] as const;

function queryFindings(before: Monitor, after: Monitor): readonly Finding[] {
  const [old, now] = [before, after].map((side) => queries.find((name) => side[name]));
  if (old === undefined || now === undefined || old === now) {
    const name = old ?? now ?? "labelQuery";
    return textFindings("query-changed", "query", before[name], after[name], "watches something else");
  }
  const text = `${old} ${shown(before[old])} → ${now} ${shown(after[now])}: watches something else`;
  return [{ class: "query-changed", direction: "unclear", text }];
}

function intervalFindings({ intervalSecs: old }: Monitor, { intervalSecs: now }: Monitor): readonly Finding[] {
  const direction = growing(old, now);
  if (direction === undefined) return [];
  const end = { laxer: "notices later", stricter: "notices earlier", unclear: "notices at other times" }[direction];
  return [loosening(direction, `evaluated every ${arrow(old, now, "s")}: ${end}`)];
}
