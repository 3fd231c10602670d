/** Names with the types that the interface document gives them; `[]` marks an array. */
export type Members = Readonly<Record<string, string>>;

/** One operation of the interface document. */
export interface InterfaceOperation {
  readonly path: Members;
  readonly query: Members;
  /** The keys of the body's envelope; none where there is no body. */
  readonly request: Members;
  /** The keys of the answer's envelope. */
  readonly response: Members;
}

const none: Members = {};
const slug: Members = { slug: "string" };
const listQuery: Members = {
  "page.max_size": "int64",
  "page.token": "string",
  slugs: "string[]",
  names: "string[]",
};

/** The eleven operations of the interface document, typed by hand. */
export const interfaceOperations: Readonly<Record<string, InterfaceOperation>> = {
  "POST /api/v1/config/notifiers": {
    path: none,
    query: none,
    request: { dry_run: "boolean", notifier: "Notifier" },
    response: { notifier: "Notifier" },
  },
  "GET /api/v1/config/notifiers": {
    path: none,
    query: listQuery,
    request: none,
    response: { notifiers: "Notifier[]", "page.next_token": "string" },
  },
  "PUT /api/v1/config/monitors/{slug}": {
    path: slug,
    query: none,
    request: { create_if_missing: "boolean", dry_run: "boolean", monitor: "Monitor" },
    response: { monitor: "Monitor" },
  },
  "GET /api/v1/config/trace-metrics-rules": {
    path: none,
    query: listQuery,
    request: none,
    response: { trace_metrics_rules: "TraceMetricsRule[]", "page.next_token": "string" },
  },
  "PUT /api/v1/config/trace-metrics-rules/{slug}": {
    path: slug,
    query: none,
    request: { create_if_missing: "boolean", dry_run: "boolean", trace_metrics_rule: "TraceMetricsRule" },
    response: { trace_metrics_rule: "TraceMetricsRule" },
  },
  "GET /api/v1/config/datasets/{slug}": {
    path: slug,
    query: none,
    request: none,
    response: { dataset: "Dataset" },
  },
  "POST /api/v1/config/log-allocation-config": {
    path: none,
    query: none,
    request: { dry_run: "boolean", log_allocation_config: "LogAllocationConfig" },
    response: { log_allocation_config: "LogAllocationConfig" },
  },
  "POST /api/v1/config/derived-metrics": {
    path: none,
    query: none,
    request: { derived_metric: "DerivedMetric", dry_run: "boolean" },
    response: { derived_metric: "DerivedMetric" },
  },
  "GET /api/v1/config/cloudx-metrics-integrations/{slug}": {
    path: slug,
    query: none,
    request: none,
    response: { cloudx_metrics_integration: "CloudxMetricsIntegration" },
  },
  "GET /api/v1/config/derived-metrics": {
    path: none,
    query: listQuery,
    request: none,
    response: { derived_metrics: "DerivedMetric[]", "page.next_token": "string" },
  },
  "PUT /api/v1/config/slos/{slug}": {
    path: slug,
    query: none,
    request: { create_if_missing: "boolean", dry_run: "boolean", slo: "SLO" },
    response: { slo: "SLO" },
  },
};
