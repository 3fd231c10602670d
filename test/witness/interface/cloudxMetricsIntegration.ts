import type { Paths } from "./paths.js";

export const cloudxMetricsIntegration: Paths = {
  name: "string",
  slug: "string",
  created_at: "date-time",
  updated_at: "date-time",
  count_metrics_enabled: "boolean",
  usage_metrics_enabled: "boolean",
  propagate_tags: "boolean",
  "principal.client_id": "string",
  "principal.tenant_id": "string",
  "scrape_config.locations[]": "string",
  "scrape_config.resource_types[].name": "string",
  "scrape_config.resource_types[].metric_names[]": "string",
  "scrape_config.subscription_ids[]": "string",
};
