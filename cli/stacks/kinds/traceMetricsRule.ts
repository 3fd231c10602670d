import { removing } from "./rules";

export const traceMetricsRule = removing("what queries its metric finds nothing");
