import type { Constraint } from "./rules.js";

// Zero means absent: a string may be empty unless it is required. Patterns take time in proportion to the text.

const orEmpty = ({ pattern, ...rest }: Constraint): Constraint => ({ ...rest, pattern: `^$|${String(pattern)}` });

// White space, control characters, and what has no width or no ink.
const invisible =
  "\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\u{e0000}-\u{e0fff}";

/** A visible string. */
export const text: Constraint = { pattern: `[^${invisible}]`, "x-expected": "a string that is not blank" };
export const optionalText = orEmpty(text);
export const texts: Constraint = { items: text };
/** A required string. This is the only rule for secrets. */
export const present: Constraint = { minLength: 1 };

/** A map whose entries have names. */
export const named: Constraint = {
  propertyNames: { pattern: text.pattern, "x-refusal": "the name is blank" },
};
/** Labels that are set. The label __name__ is the name of the metric. */
export const labels: Constraint = {
  propertyNames: {
    pattern: text.pattern,
    not: { const: "__name__" },
    "x-refusal": "is not a valid label: expected a name that is not blank and not __name__",
  },
};
export const optionalLabel: Constraint = {
  ...orEmpty(text),
  not: { const: "__name__" },
  "x-expected": "a label that is not blank and not __name__",
};

export const metricName: Constraint = {
  pattern: "^[A-Za-z_:][A-Za-z0-9_:./-]{0,999}$",
  "x-expected": 'a metric name of at most 1000 letters, digits and "_:./-" that begins with a letter, "_" or ":"',
};

/** A secret that is sent in a header. */
export const oneLine: Constraint = { pattern: "^[^\\r\\n]*$", "x-refusal": "has a line break" };

export const seconds: Constraint = { minimum: 0, "x-expected": "0 or more seconds" };

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
export const url = urlWith("https?", "an http or https URL");
export const optionalUrl = orEmpty(url);
export const optionalProxyUrl = orEmpty(urlWith("https?|socks5h?", "an http, https or socks5 URL"));

const address = '[^\\s<>@,;"]+@[^\\s<>@,;"]+';
const mailbox = `(?:${address}|(?:"[^"]*"\\s*|[^\\s<>@,;"][^<>@,;"]*)?<${address}>)`;
/** Mail addresses, separated by commas, each with or without a name. */
export const addresses: Constraint = {
  pattern: `^\\s*${mailbox}\\s*(?:,\\s*${mailbox}\\s*)*$|\\{\\{`,
  "x-expected": "mail addresses like team@example.com, separated by commas",
};

const upTo90Days = [
  "(?:[1-9][0-9]{0,4}|1[01][0-9]{4}|12[0-8][0-9]{3}|129[0-5][0-9]{2}|129600)m",
  "(?:[1-9][0-9]{0,2}|1[0-9]{3}|20[0-9]{2}|21[0-5][0-9]|2160)h",
  "(?:[1-9]|[1-8][0-9]|90)d",
  "(?:[1-9]|1[0-2])w",
];
export const duration: Constraint = {
  pattern: `^(?:${upTo90Days.join("|")})$`,
  "x-expected": "a duration like 90m, 24h, 28d or 4w, of at most 90 days",
};
export const optionalDuration = orEmpty(duration);
