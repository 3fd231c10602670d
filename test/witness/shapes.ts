import { type Fields, under } from "./witness.js";

/** What every object has, except for the singleton's name and slug. */
export const identity: Fields = {
  name: "string text",
  slug: "string identity",
  created_at: "date-time",
  updated_at: "date-time",
};

export const httpConfig: Fields = {
  "": "delivery settings",
  basic_auth: "credential settings",
  "basic_auth.password": "secret string",
  "basic_auth.username": "string",
  bearer_token: "secret string credential",
  proxy_url: "string",
  tls_config: "settings",
  "tls_config.insecure_skip_verify": "boolean",
};

export const signalGrouping: Fields = {
  "": "grouping settings",
  label_names: "unordered set",
  "label_names[]": "string",
  signal_per_series: "boolean",
};

export const durationRange: Fields = {
  "": "settings",
  min_secs: "number",
  max_secs: "number",
};

export const boolValue: Fields = {
  value: "boolean",
};

export const stringMatch: Fields = {
  match: "enum EXACT|REGEX|EXACT_NEGATION|REGEX_NEGATION|IN|NOT_IN",
  value: "string",
  in_values: "unordered set",
  "in_values[]": "string",
};

export const spanScope: Fields = {
  ...under("duration", durationRange),
  ...under("error", boolValue),
  ...under("is_root_span", boolValue),
  match_type: "enum INCLUDE|EXCLUDE",
  ...under("operation", stringMatch),
  ...under("parent_operation", stringMatch),
  ...under("parent_service", stringMatch),
  ...under("service", stringMatch),
  span_count: "settings",
  "span_count.min": "number",
  "span_count.max": "number",
  tags: "unordered set",
  "tags[].key": "string",
  "tags[].numeric_value.comparison":
    "enum EQUAL|NOT_EQUAL|GREATER_THAN|LESS_THAN|GREATER_THAN_OR_EQUAL|LESS_THAN_OR_EQUAL",
  "tags[].numeric_value.value": "number",
  ...under("tags[].value", stringMatch),
};

/** Of a trace metrics rule's filter and of a trace dataset's match criteria. */
export const traceFilter: Fields = {
  scope_filter: "settings",
  ...under("scope_filter.span_scopes[]", spanScope),
  ...under("span[]", spanScope),
  trace: "settings",
  ...under("trace.duration", durationRange),
  ...under("trace.error", boolValue),
};

export const labelMatcher: Fields = {
  "": "matcher",
  name: "string",
  type: "enum EXACT|REGEX",
  value: "string",
};

/** How a value is compared. */
export const comparisonOp = "enum GT|GEQ|LT|LEQ|EQ|NEQ|EXISTS|NOT_EXISTS";
