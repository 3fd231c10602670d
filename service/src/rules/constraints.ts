import type { Constraint } from "./rules.js";

// Patterns take time in proportion to the text.

/** Zero means absent: a string may be empty unless it is required. */
export const orEmpty = ({ pattern, ...rest }: Constraint): Constraint =>
  pattern === undefined ? rest : { ...rest, pattern: `^$|${String(pattern)}` };

// White space, control characters, and what has no width or no ink.
const invisible =
  "\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\u{e0000}-\u{e0fff}";

/** A visible string. */
export const text: Constraint = { pattern: `[^${invisible}]`, "x-expected": "a string that is not blank" };
const texts: Constraint = { items: text };
/** A required string. This is the only rule for secrets. */
export const present: Constraint = { minLength: 1 };

/** Labels that are set. The label __name__ is the name of the metric. */
const labels: Constraint = {
  propertyNames: {
    pattern: text.pattern,
    not: { const: "__name__" },
    "x-refusal": "is not a valid label: expected a name that is not blank and not __name__",
  },
};

/** A secret that is sent in a header. */
const oneLine: Constraint = { pattern: "^[^\\r\\n]*$", "x-refusal": "has a line break" };

const from0 = (unit: string): Constraint => ({ minimum: 0, "x-expected": `0 or more ${unit}` });
const seconds = from0("seconds");

/** The name of the format that `isUrl` checks. */
export const urlFormat = "http-url";

/** Whether a text is a URL, or empty, or a template. */
export function isUrl(text: string): boolean {
  return text === "" || text.includes("{{") || URL.canParse(text);
}

const urlWith = (schemes: string, expected: string): Constraint => ({
  // "{{" starts a template that is filled in when the receiver is called.
  pattern: `^(?:${schemes})://(?:[^\\s/?#@]*@)?(?:[^\\s/?#@:\\[\\].]+(?:\\.[^\\s/?#@:\\[\\].]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:[/?#]\\S*)?$|\\{\\{`,
  // Errors that a pattern cannot find, such as a port beyond 65535.
  format: urlFormat,
  "x-expected": expected,
  "x-unquoted": true,
});
const url = urlWith("https?", "an http or https URL");

const address = '[^\\s<>@,;"]+@[^\\s<>@,;"]+';
const mailbox = `(?:${address}|(?:"[^"]*"\\s*|[^\\s<>@,;"][^<>@,;"]*)?<${address}>)`;
/** Mail addresses, separated by commas, each with or without a name. */
const addresses: Constraint = {
  pattern: `^\\s*${mailbox}\\s*(?:,\\s*${mailbox}\\s*)*$|\\{\\{`,
  "x-expected": "mail addresses like team@example.com, separated by commas",
};

const upTo90Days = [
  "(?:[1-9][0-9]{0,4}|1[01][0-9]{4}|12[0-8][0-9]{3}|129[0-5][0-9]{2}|129600)m",
  "(?:[1-9][0-9]{0,2}|1[0-9]{3}|20[0-9]{2}|21[0-5][0-9]|2160)h",
  "(?:[1-9]|[1-8][0-9]|90)d",
  "(?:[1-9]|1[0-2])w",
];
const duration: Constraint = {
  pattern: `^(?:${upTo90Days.join("|")})$`,
  "x-expected": "a duration like 90m, 24h, 28d or 4w, of at most 90 days",
};

const startOfRange = "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$";
/** The pattern of a time, with the end of the day. */
export const timeOfDay = `${startOfRange}|^24:00$`;

/** The rules of the fields with these names, in every shape, also of a new kind. */
export const fields: Readonly<Record<string, Constraint>> = {
  annotations: { propertyNames: { pattern: text.pattern, "x-refusal": "the name is blank" } },
  labels,
  metric_labels: labels,
  label: { ...text, not: { const: "__name__" }, "x-expected": "a label that is not blank and not __name__" },
  metric_name: {
    pattern: "^[A-Za-z_:][A-Za-z0-9_:./-]{0,999}$",
    "x-expected": 'a metric name of at most 1000 letters, digits and "_:./-" that begins with a letter, "_" or ":"',
  },
  ...same(text, "dotted_query", "label_query", "logging_query", "query", "good_query_template", "bad_query_template"),
  ...same(texts, "custom_dimension_labels", "label_names", "locations", "metric_names", "subscription_ids"),
  ...same(oneLine, "api_key", "bearer_token", "routing_key", "service_key"),
  ...same(url, "api_url", "client_url", "href", "icon_url", "image_url", "src", "thumb_url", "title_link", "url"),
  proxy_url: urlWith("https?|socks5h?", "an http, https or socks5 URL"),
  ...same(seconds, "interval_secs", "max_secs", "min_secs", "resolve_sustain_secs", "sustain_secs"),
  histogram_buckets_secs: { items: seconds },
  ...same(duration, "time_window", "window"),
  start_hh_mm: { pattern: startOfRange, "x-expected": "HH:MM from 00:00 to 23:59" },
  end_hh_mm: { pattern: timeOfDay, "x-expected": "HH:MM from 00:00 to 24:00" },
  percent_of_license: { minimum: 0, maximum: 100, "x-expected": "0 to 100" },
  objective: { exclusiveMinimum: 0, exclusiveMaximum: 100, "x-expected": "more than 0 and less than 100 percent" },
  budget: { exclusiveMinimum: 0, maximum: 100, "x-expected": "more than 0 and at most 100 percent" },
  queries: { minItems: 1, "x-expected": "at least one query" },
};

const bySeverity = {
  not: {},
  "x-refusal":
    'the conditions of an override are not given by severity; write them as "severity_conditions": {"conditions": […]}',
};
const someConditions = {
  required: ["conditions"],
  properties: { conditions: { minItems: 1, "x-expected": "at least one condition" } },
};

/** The rules of shapes in addition to those of their fields. */
export const shapes: Readonly<Record<string, Constraint>> = {
  Email: { properties: { to: addresses } },
  SpanCount: { properties: same(from0("spans"), "max", "min") },
  DerivedMetric: { required: ["queries"] },
  // An override without a condition would silence its series.
  ConditionsOverride: { required: ["severity_conditions"], properties: { severity_conditions: someConditions } },
  SeverityConditions: { properties: { critical: bySeverity, warn: bySeverity } },
};

function same(constraint: Constraint, ...names: readonly string[]): Readonly<Record<string, Constraint>> {
  return Object.fromEntries(names.map((name) => [name, constraint]));
}
