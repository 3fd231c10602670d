import { list, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { labelMatcher } from "./shapes/matching";

const query = shape("DerivedQuery", "One way to compute the metric, and the series for which it is used.", {
  query: object(
    shape("ParameterisedQuery", "An expression with variables.", {
      labelExpr: string("The expression; `$name` stands for the variable of that name.", {
        required: "always",
        format: "promql",
      }),
      variables: list(
        object(
          shape("QueryVariable", "A variable of the expression.", {
            name: string("The variable's name, without `$`.", { required: "always" }),
            defaultLabelSelector: string("The label selector used if the caller gives none.", {
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
    shape("QuerySelector", "Chooses the query by labels.", {
      labels: list(object(labelMatcher, undefined, { format: "matcher" }), "The labels that must match.", {
        unordered: true,
        format: "set",
      }),
    }),
  ),
});

export const derivedMetric = kind({
  name: "DerivedMetric",
  title: "derived metric",
  description: "A named metric computed from one or more parameterised queries.",
  wire: { one: "derived_metric", many: "derived_metrics" },
  described: ["post", "list"],
  fields: {
    description: string("What the metric says.", { effect: "text" }),
    metricName: string("The name under which the metric is queried.", {
      required: "always",
      effect: "publishes",
    }),
    queries: list(object(query), "The ways to compute the metric.", {
      required: "at least one",
      effect: "selects",
    }),
  },
  example: {
    args: {
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
    wire: {
      name: "Checkout error ratio",
      slug: "checkout-error-ratio",
      description: "Failed requests per request",
      metric_name: "checkout:error_ratio",
      queries: [
        {
          query: {
            label_expr: "sum(rate(http_errors_total{$scope}[5m])) / sum(rate(http_requests_total{$scope}[5m]))",
            variables: [{ name: "scope", default_label_selector: 'service="checkout"' }],
          },
          selector: { labels: [{ name: "region", type: "REGEX", value: "eu-.*" }] },
        },
      ],
    },
  },
});
