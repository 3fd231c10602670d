import type { Problem } from "../../errors.js";

interface SpanScope {
  readonly tags?: readonly { readonly value?: object; readonly numeric_value?: object }[];
}

export interface ScopeFilter {
  readonly span_scopes?: readonly SpanScope[];
}

export interface TraceFilter {
  readonly scope_filter?: ScopeFilter;
  readonly span?: readonly SpanScope[];
}

export function scopeFilterProblems(filter: ScopeFilter | undefined, path: string): readonly Problem[] {
  return spanProblems(filter?.span_scopes, `${path}.span_scopes`);
}

export function traceFilterProblems(filter: TraceFilter | undefined, path: string): readonly Problem[] {
  return [
    ...scopeFilterProblems(filter?.scope_filter, `${path}.scope_filter`),
    ...spanProblems(filter?.span, `${path}.span`),
  ];
}

function spanProblems(spans: readonly SpanScope[] = [], path: string): readonly Problem[] {
  return spans.flatMap(({ tags = [] }, i) =>
    tags.flatMap(({ value, numeric_value }, j) =>
      value === undefined && numeric_value === undefined
        ? [{ path: `${path}[${i}].tags[${j}]`, message: "needs value or numeric_value" }]
        : [],
    ),
  );
}
