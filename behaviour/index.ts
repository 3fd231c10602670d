export { type BurnRateExplanation, explainSLO, type SLOExplanation } from "./explainSLO";
export {
  type Labels,
  type Notification,
  type Sample,
  type Series,
  type Severity,
  type Signal,
  simulate,
  type Simulation,
  SimulationError,
  type Span,
} from "./simulate";
