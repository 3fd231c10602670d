import { list, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { labelMatcher } from "./shapes/matching";

const query = shape("DerivedQuery", "A query that computes the metric, and the labels for which it is used.", {
  query: object(
    shape("ParameterisedQuery", "A query expression with variables.", {
      labelExpr: string("The expression. It refers to a variable as `$name`.", {
        required: "always",
        format: "promql",
      }),
      variables: list(
        object(
          shape("QueryVariable", "A variable of the expression.", {
            name: string("The variable's name, without `$`.", { required: "always" }),
            defaultLabelSelector: string("The label selector that the variable stands for if a caller passes none.", {
              format: "labelFilters",
            }),
          }),
        ),
        "The expression's variables.",
        { unordered: true },
      ),
    }),
    undefined,
    { required: "always" },
  ),
  selector: object(
    shape("QuerySelector", "The labels for which this query is used.", {
      labels: list(object(labelMatcher, undefined, { format: "matcher" }), "The labels that must match.", {
        unordered: true,
        format: "set",
      }),
    }),
    undefined,
    { format: "settings" },
  ),
});

export const derivedMetric = kind({
  name: "DerivedMetric",
  title: "derived metric",
  description: "A metric that is computed from one or more queries with variables.",
  wire: { one: "derived_metric", many: "derived_metrics" },
  described: ["post", "list"],
  fields: {
    description: string("A description of the metric for people.", { effect: "text" }),
    metricName: string("The name under which the metric is queried.", {
      required: "always",
      effect: "publishes",
    }),
    queries: list(object(query), "The queries that compute the metric.", {
      required: "at least one",
      effect: "selects",
    }),
  },
  example: {
    name: "Checkout error ratio",
    slug: "checkout-error-ratio",
    description: "Failed requests per request",
    metricName: "checkout:error_ratio",
    queries: [
      {
        query: {
          labelExpr: "sum(rate(http_errors_total{$scope}[5m])) / sum(rate(http_requests_total{$scope}[5m]))",
          variables: [{ name: "scope", defaultLabelSelector: 'service="checkout"' }],
        },
        selector: { labels: [{ name: "region", type: "REGEX", value: "eu-.*" }] },
      },
    ],
  },
});
