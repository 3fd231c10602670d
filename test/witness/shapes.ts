import { type Paths, under } from "./witness.js";

/** What every object has, but for the singleton's name and slug. */
export const identity: Paths = {
  name: "string",
  slug: "string",
  created_at: "date-time",
  updated_at: "date-time",
};

export const httpConfig: Paths = {
  "basic_auth.password": "secret string",
  "basic_auth.username": "string",
  bearer_token: "secret string",
  proxy_url: "string",
  "tls_config.insecure_skip_verify": "boolean",
};

export const signalGrouping: Paths = {
  "label_names[]": "string",
  signal_per_series: "boolean",
};

export const durationRange: Paths = {
  min_secs: "number",
  max_secs: "number",
};

export const boolValue: Paths = {
  value: "boolean",
};

export const stringMatch: Paths = {
  match: "enum",
  value: "string",
  "in_values[]": "string",
};

export const spanScope: Paths = {
  ...under("duration", durationRange),
  ...under("error", boolValue),
  ...under("is_root_span", boolValue),
  match_type: "enum",
  ...under("operation", stringMatch),
  ...under("parent_operation", stringMatch),
  ...under("parent_service", stringMatch),
  ...under("service", stringMatch),
  "span_count.min": "number",
  "span_count.max": "number",
  "tags[].key": "string",
  "tags[].numeric_value.comparison": "enum",
  "tags[].numeric_value.value": "number",
  ...under("tags[].value", stringMatch),
};

/** Of a trace metrics rule's filter and of a trace dataset's match criteria. */
export const traceFilter: Paths = {
  ...under("scope_filter.span_scopes[]", spanScope),
  ...under("span[]", spanScope),
  ...under("trace.duration", durationRange),
  ...under("trace.error", boolValue),
};
