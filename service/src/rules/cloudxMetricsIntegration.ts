import { texts } from "./constraints.js";
import type { Shapes } from "./rules.js";

export const cloudxMetricsIntegration: Shapes = {
  ScrapeConfig: { schema: { properties: { locations: texts, subscription_ids: texts } } },
  ResourceType: { schema: { properties: { metric_names: texts } } },
};
