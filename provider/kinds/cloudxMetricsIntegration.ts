import { boolean, list, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";

export const cloudxMetricsIntegration = kind({
  name: "CloudxMetricsIntegration",
  title: "cloud metrics integration",
  description: "Scrapes metrics from a cloud account.",
  wire: { one: "cloudx_metrics_integration", many: "cloudx_metrics_integrations" },
  described: ["get"],
  fields: {
    countMetricsEnabled: boolean("Whether to create metrics that count the account's resources.", {
      default: "false",
      effect: "collects",
    }),
    usageMetricsEnabled: boolean("Whether to create metrics that compare the account's usage with its quotas.", {
      default: "false",
      effect: "collects",
    }),
    propagateTags: boolean("Whether the tags of the cloud resources become labels of the metrics.", {
      default: "false",
      effect: "describes",
    }),
    principal: object(
      shape("Principal", "The identity that reads the cloud account.", {
        clientId: string("The client ID.", { required: "always" }),
        tenantId: string("The tenant ID.", { required: "always" }),
      }),
      undefined,
      { required: "always", effect: "credential" },
    ),
    scrapeConfig: object(
      shape("ScrapeConfig", "What is scraped. If you omit a list, it doesn't restrict anything.", {
        locations: list(string(""), "The locations, under the names that the cloud uses.", {
          unordered: true,
          format: "set",
        }),
        resourceTypes: list(
          object(
            shape("ResourceType", "The metrics of one type of resource.", {
              name: string("The type, under the name that the cloud uses.", { required: "always" }),
              metricNames: list(string(""), "The names of the metrics.", { unordered: true, format: "set" }),
            }),
          ),
          "The types of resources.",
          { unordered: true },
        ),
        subscriptionIds: list(string(""), "The IDs of the subscriptions.", { unordered: true, format: "set" }),
      }),
      undefined,
      { effect: "collects", format: "settings" },
    ),
  },
  example: {
    name: "Shop cloud account",
    slug: "shop-cloud-account",
    countMetricsEnabled: true,
    usageMetricsEnabled: true,
    propagateTags: true,
    principal: { clientId: "a-client", tenantId: "a-tenant" },
    scrapeConfig: {
      locations: ["westeurope"],
      resourceTypes: [{ name: "databases/servers", metricNames: ["cpu_percent", "storage_percent"] }],
      subscriptionIds: ["a-subscription"],
    },
  },
});
