import type { Effect } from "../../provider/schema/effect";
import type { RiskClass } from "./risk";

interface Classification {
  readonly class: RiskClass;
  /** The possible consequence. */
  readonly end: string;
}

/** The class of a changed field, by the field's effect; undefined if the change doesn't concern notifications. */
export const classOf: Readonly<Record<Effect, Classification | undefined>> = {
  text: undefined,
  identity: { class: "replaced", end: "references to the old object no longer resolve" },
  label: { class: "routing", end: "notifications may be routed elsewhere" },
  routes: { class: "routing", end: "notifications may go elsewhere" },
  target: { class: "receiver", end: "may notify other people" },
  credential: { class: "credentials", end: "requests may be rejected" },
  delivery: { class: "delivery", end: "notifications are delivered differently" },
  discards: { class: "discard", end: "notifications may be discarded" },
  selects: { class: "query", end: "reads other data" },
  publishes: { class: "query", end: "queries for the old name may find nothing" },
  grouping: { class: "grouping", end: "signals combine other series" },
  threshold: { class: "threshold", end: "fires at other times" },
  window: { class: "threshold", end: "fires at other times" },
  coverage: { class: "override", end: "applies to other series" },
  schedule: { class: "schedule", end: "may be silent at other times" },
  objective: { class: "objective", end: "promises something else" },
  burnRate: { class: "burn-rate", end: "burn-rate alerts may fire at other times or not at all" },
  budget: { class: "budget", end: "changes the shares of datasets" },
  precedence: { class: "precedence", end: "changes what comes first" },
  collects: { class: "collection", end: "collects other data" },
};
