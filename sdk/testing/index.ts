export { ExpectationError, expectSignals, type Signals } from "./expectSignals";
export { type NotedSeries, series } from "./notation";
export {
  type DeclaredResource,
  type KindClass,
  type Program,
  ProgramError,
  type ProgramOptions,
  runProgram,
} from "./program";
export { startService, type TestService } from "./service";
export { simulate, type SimulationOptions, type TestSimulation } from "./simulate";
export type { Time } from "./times";
