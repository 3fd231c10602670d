import { grouped } from "../../provider/base/grouped";
import { wholeMatch } from "../../sdk/behavior/overrides";
import type { Series, Span } from "../../sdk/behavior/signals";
import { listed, plainly, quote, spanText } from "../output/words";
import type { MonitorArguments } from "../preview/monitors";
import { selectorsOf } from "../promql/metrics";

/**
 * Why a monitor has nothing to fire on, as sentences: its query has no series, or no series has a label that it names.
 * @param has Whether a selector has series; undefined if that is not known. Asked only if the query has none.
 */
export async function noDataOf(
  args: MonitorArguments,
  query: string,
  series: readonly Series[],
  span: Span,
  has: (selector: string) => Promise<boolean | undefined>,
): Promise<readonly string[]> {
  if (series.some((each) => hasSampleIn(each, span))) return missingLabels(args, series);
  const { selectors, isSelective } = selectorsOf(query);
  const found: (boolean | undefined)[] = [];
  for (const selector of selectors) found.push(await has(selector));
  const missing = selectors.filter((_, i) => found[i] === false);
  // A query such as "up == 0" has no series while all is well.
  if (missing.length === 0 && isSelective) return [];
  const all = selectors.map(plainly).join(", ");
  const rest =
    missing.length > 0
      ? `: ${missing.map(plainly).join(", ")}`
      : found.includes(undefined)
        ? `; it reads ${all}`
        : ", but its selectors have some";
  return [`no series in ${spanText(span.to - span.from)}${rest}`];
}

function hasSampleIn({ samples }: Series, { from, to }: Span): boolean {
  for (const [time] of samples) if (time >= from) return time < to;
  return false;
}

/** The labels that no series has, of those by which signals are grouped, and those that an override requires. */
function missingLabels(
  { signalGrouping, seriesConditions }: MonitorArguments,
  series: readonly Series[],
): readonly string[] {
  const required = (seriesConditions?.overrides ?? []).flatMap(({ labelMatchers = [] }, i) =>
    labelMatchers.flatMap(({ name = "", type, value = "" }) => {
      const isMetByNone = type === "REGEX" ? wholeMatch(value)?.test("") : value === "";
      return isMetByNone ? [] : [[name, `seriesConditions.overrides[${i}]`] as const];
    }),
  );
  const names = [...(signalGrouping?.labelNames ?? []).map((name) => [name, "signalGrouping"] as const), ...required];
  return [...grouped(names, ([name]) => name)].flatMap(([name, some]) => {
    if (series.some(({ labels }) => (labels[name] ?? "") !== "")) return [];
    const places = [...new Set(some.map(([, place]) => place))];
    return [`no series has the label ${quote(name)}, which ${listed(places)} ${places.length > 1 ? "name" : "names"}`];
  });
}
