import { identity } from "../shapes.js";
import { reads, type Witness } from "../witness.js";

export const cloudxMetricsIntegration: Witness = {
  name: "CloudxMetricsIntegration",
  fields: {
    ...identity,
    count_metrics_enabled: "boolean collects",
    usage_metrics_enabled: "boolean collects",
    propagate_tags: "boolean describes",
    principal: "credential",
    "principal.client_id": "string",
    "principal.tenant_id": "string",
    scrape_config: "collects settings",
    "scrape_config.locations": "unordered set",
    "scrape_config.locations[]": "string",
    "scrape_config.resource_types": "unordered",
    "scrape_config.resource_types[].name": "string",
    "scrape_config.resource_types[].metric_names": "unordered set",
    "scrape_config.resource_types[].metric_names[]": "string",
    "scrape_config.subscription_ids": "unordered set",
    "scrape_config.subscription_ids[]": "string",
  },
  operations: {
    "GET /api/v1/config/cloudx-metrics-integrations/{slug}": reads(
      "cloudx_metrics_integration",
      "CloudxMetricsIntegration",
    ),
  },
  changes: {
    scrapeConfig: {
      scrapeConfig: { locations: ["northeurope"], resourceTypes: [{ name: "vm", metricNames: ["cpu"] }] },
    },
  },
  refused: { change: { principal: { clientId: "only" } }, path: "principal" },
};
