import type { DerivedQuery } from "../../../sdk/types.gen";
import { hiddenIn } from "../../meaning/hidden";
import { listed } from "../../output/words";
import { promqlProblem } from "../../promql/expression";
import { outsideQuotes } from "../../promql/literals";
import { type Exported, rejected, rejecting } from "./exported";
import { requirementsOf } from "./requirements";

interface Arguments {
  readonly metricName?: string;
  readonly queries?: readonly DerivedQuery[];
}

/** A derived metric as a recording rule, if one query computes it for all labels. */
export const exportDerivedMetric = rejecting(recordingOf);

function recordingOf(name: string, args: Arguments): Exported {
  const reject = (rejection: string) => rejected(name, rejection);
  const { metricName: record = "", queries = [] } = args;
  const exported = { metricName: record, queries };
  const [hidden] = hiddenIn(exported);
  if (hidden !== undefined) return reject(`its ${hidden.text}`);
  const [one, ...others] = queries;
  if (one === undefined || others.length > 0)
    return reject(`a recording rule can't choose among its ${queries.length} queries`);
  if ((one.selector?.labels ?? []).length > 0)
    return reject("its query is only for some labels, which a recording rule can't express");
  const { labelExpr = "", variables = [] } = one.query ?? {};
  const defaults = new Map(variables.map(({ name = "", defaultLabelSelector = "" }) => [name, defaultLabelSelector]));
  // In texts and comments a $ begins no variable.
  const expr = labelExpr.replace(outsideQuotes(String.raw`\$(\w+)`), (found, variable?: string) =>
    variable === undefined ? found : (defaults.get(variable) ?? found).replace(/^\s*\{([^]*)\}\s*$/, "$1"),
  );
  const problem = /^[A-Za-z_:][\w:]*$/.test(record)
    ? promqlProblem(expr)
    : `${JSON.stringify(record)} is no name of a metric`;
  if (problem !== undefined) return reject(problem);
  const losses = [
    "a recording rule has the value of its last evaluation, and a derived metric is computed when it is queried",
    ...(variables.length > 0 ? [`each query gets the defaults of its variables ${listed([...defaults.keys()])}`] : []),
    ...requirementsOf(expr),
  ];
  return { name, intervalSecs: undefined, alerts: [], recording: { record, expr }, losses };
}
