import { text, texts } from "./constraints.js";
import type { Shapes } from "./rules.js";

export const cloudxMetricsIntegration: Shapes = {
  CloudxMetricsIntegration: { schema: { required: ["principal"] } },
  Principal: { schema: { required: ["client_id", "tenant_id"], properties: { client_id: text, tenant_id: text } } },
  ScrapeConfig: { schema: { properties: { locations: texts, subscription_ids: texts } } },
  ResourceType: { schema: { required: ["name"], properties: { name: text, metric_names: texts } } },
};
