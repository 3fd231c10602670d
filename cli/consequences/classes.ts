import type { Effect } from "../../provider/schema/effect";
import type { RiskClass } from "./risk";

/**
 * The class of a changed field, by the field's effect, and the possible consequence: what is certain is in the sentences of
 * the kinds. Undefined if the change doesn't concern notifications.
 */
export const classOf: Readonly<Record<Effect, { readonly class: RiskClass; readonly end: string } | undefined>> = {
  text: undefined,
  identity: { class: "replaced", end: "references to the old object may no longer resolve" },
  label: { class: "routing", end: "notifications may be routed elsewhere" },
  routes: { class: "routing", end: "notifications may go elsewhere" },
  target: { class: "receiver", end: "may notify other people" },
  credential: { class: "credentials", end: "requests may be rejected" },
  delivery: { class: "delivery", end: "notifications may be delivered differently" },
  discards: { class: "discard", end: "notifications may be discarded" },
  selects: { class: "query", end: "may read other data" },
  publishes: { class: "query", end: "queries for the old name may find nothing" },
  describes: { class: "collection", end: "the metrics may have other labels" },
  distributes: { class: "query", end: "quantiles may change" },
  grouping: { class: "grouping", end: "signals may combine other series" },
  threshold: { class: "threshold", end: "may fire at other times" },
  window: { class: "threshold", end: "may fire at other times" },
  coverage: { class: "override", end: "may apply to other series" },
  schedule: { class: "schedule", end: "may be silent at other times" },
  objective: { class: "objective", end: "may promise something else" },
  burnRate: { class: "burn-rate", end: "burn-rate alerts may fire at other times or not at all" },
  budget: { class: "budget", end: "may change the shares of datasets" },
  precedence: { class: "precedence", end: "may change what comes first" },
  collects: { class: "collection", end: "may collect other data" },
};
