import { boolean, list, number, object, shape, string } from "../../schema/field";

const durationRange = shape(
  "DurationRange",
  "A range of durations. If you omit a bound, the range has no limit on that side.",
  {
    minSecs: number("The shortest duration that matches.", { unit: "seconds" }),
    maxSecs: number("The longest duration that matches.", { unit: "seconds" }),
  },
);

const boolValue = shape(
  "BoolValue",
  "Matches true or false. An empty object matches false. To match both, omit the object.",
  {
    value: boolean("The value to match.", { default: "false" }),
  },
);

const stringMatch = shape("StringMatch", "Matches a text by equality, by a pattern, or by a list.", {
  match: string("How the text is compared.", {
    suggestions: ["EXACT", "REGEX", "EXACT_NEGATION", "REGEX_NEGATION", "IN", "NOT_IN"],
  }),
  value: string("The text or pattern, for every comparison except `IN` and `NOT_IN`.", {
    patternIf: ["match", ["REGEX", "REGEX_NEGATION"]],
  }),
  inValues: list(string(""), "The texts to compare with, for `IN` and `NOT_IN`.", {
    required: "`match` is `IN` or `NOT_IN`",
    unordered: true,
    format: "set",
  }),
});

const tag = shape("Tag", "Matches spans by the value of one tag. Set `value` or `numericValue`.", {
  key: string("The tag's key.", { required: "always" }),
  value: object(stringMatch, "Matches the tag's value as text."),
  numericValue: object(
    shape("NumericMatch", "Matches a number by comparison.", {
      comparison: string("How the numbers are compared.", {
        suggestions: ["EQUAL", "NOT_EQUAL", "GREATER_THAN", "LESS_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN_OR_EQUAL"],
      }),
      value: number("The number to compare with."),
    }),
    "Matches the tag's value as a number.",
  ),
});

/** Conditions on one span. */
const spanScope = shape(
  "SpanScope",
  "Conditions on one span of a trace. The span must meet all conditions that you set.",
  {
    matchType: string("Whether the condition includes or excludes matching spans.", {
      suggestions: ["INCLUDE", "EXCLUDE"],
    }),
    service: object(stringMatch, "The service that the span belongs to."),
    operation: object(stringMatch, "The span's operation."),
    parentService: object(stringMatch, "The service of the parent span."),
    parentOperation: object(stringMatch, "The operation of the parent span."),
    duration: object(durationRange, "How long the span took.", { format: "settings" }),
    error: object(boolValue, "Whether the span failed."),
    isRootSpan: object(boolValue, "Whether the span is the first of its trace."),
    spanCount: object(
      shape("SpanCount", "How many spans of a trace match. If you omit a bound, there is no limit on that side.", {
        min: number("The smallest number of spans."),
        max: number("The largest number of spans."),
      }),
      undefined,
      { format: "settings" },
    ),
    tags: list(object(tag), "Conditions on the span's tags.", { unordered: true, format: "set" }),
  },
);

/** Conditions on the spans in scope. */
export const scopeFilter = shape("ScopeFilter", "Selects spans.", {
  spanScopes: list(object(spanScope), "The conditions, one item per span."),
});

/** Conditions on a trace as a whole. */
const traceConditions = shape("TraceConditions", "Conditions on the trace as a whole.", {
  duration: object(durationRange, "How long the trace took.", { format: "settings" }),
  error: object(boolValue, "Whether the trace contains an error."),
});

/** Which traces, and which of their spans, are looked at. */
export const traceFilter = shape("TraceFilter", "Selects traces and spans.", {
  trace: object(traceConditions, undefined, { format: "settings" }),
  span: list(object(spanScope), "Conditions on the trace's spans."),
  scopeFilter: object(scopeFilter, undefined, { format: "settings" }),
});
