import { removing } from "./rules";

export const derivedMetric = removing("what queries the metric finds nothing");
