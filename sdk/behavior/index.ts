export { type BurnRateExplanation, explainSLO, type SLOExplanation } from "./explainSLO";
export { simulate } from "./simulate";
export type { Labels, Notification, Sample, Series, Signal, Simulation, Span, Severity } from "./signals";
export { SimulationError } from "./error";
