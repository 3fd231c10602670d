import type { Effect } from "../../provider/schema/effect";
import type { RiskClass } from "./risk";

interface Told {
  readonly class: RiskClass;
  /** What may come of it. */
  readonly end: string;
}

/** What a change of a field is called, by the field's effect; undefined if it is none for people who rely on notifications. */
export const toldAs: Readonly<Record<Effect, Told | undefined>> = {
  text: undefined,
  identity: { class: "replaced", end: "what refers to the old one finds nothing" },
  label: { class: "routing-changed", end: "may be routed elsewhere" },
  routes: { class: "routing-changed", end: "notifications may go elsewhere" },
  target: { class: "target-changed", end: "other people may be told" },
  credential: { class: "credentials-changed", end: "requests may be refused" },
  delivery: { class: "delivery-changed", end: "notifications are delivered otherwise" },
  discards: { class: "discarded", end: "notifications may be dropped" },
  selects: { class: "query-changed", end: "other data is read" },
  publishes: { class: "query-changed", end: "what queries the old name finds nothing" },
  grouping: { class: "grouping-changed", end: "other series make one signal" },
  threshold: { class: "laxer", end: "fires at other times" },
  window: { class: "laxer", end: "fires at other times" },
  coverage: { class: "override-widened", end: "holds for other series" },
  schedule: { class: "muted", end: "may be silent at other times" },
  objective: { class: "objective-lowered", end: "promises something else" },
  burnRate: { class: "burn-rate-off", end: "nobody may be told while the error budget burns" },
  budget: { class: "budget-taken", end: "datasets have other shares" },
  precedence: { class: "precedence-changed", end: "others come first" },
  collects: { class: "collection-narrowed", end: "other data is collected" },
};
