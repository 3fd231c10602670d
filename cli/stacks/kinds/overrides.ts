import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { firstOf, listed } from "../../report/words";
import { isWithin } from "../normal/matchers";
import { orderOf } from "../parts";
import { type Direction, type LocatedFinding, together } from "../risk";
import { bare, shown } from "../values";
import { conditionFindings, type Conditions, conditionText, type Defaults, directionOf, firesText } from "./conditions";
import { classed, itemPaths, located, matched } from "./rules";

type Override = types.ConditionsOverride;

const list = ["seriesConditions", "overrides"];

/** The consequences of a change of the overrides. */
export function overrideFindings(
  before: readonly Override[] = [],
  after: readonly Override[] = [],
  defaults: Defaults,
): readonly LocatedFinding[] {
  const { was, is } = itemPaths(list, before, after);
  const { pairs, removed, added } = matched(before, after, matchersKey, () => "");
  const hasOthers =
    removed.length + added.length > 0 || pairs.some(([old, now]) => matchersKey(old) !== matchersKey(now));
  const moved = hasOthers ? [] : after.filter((now, i) => matchersKey(now) !== matchersKey(before[i] ?? {}));
  const order = `order of overrides changed, ${firstOf(moved.map(seriesOf)).join(" before ")}: another override may apply to a series`;
  return [
    ...pairs.flatMap(([old, now]) => {
      const isKept = matchersKey(old) === matchersKey(now);
      return located([was(old), ...(isKept ? [] : [is(now)])], coverageFindings(old, now, is(now), defaults));
    }),
    ...removed.flatMap((old) =>
      located([was(old)], [uncovered(`override for ${seriesOf(old)} is removed`, "them", old, defaults)]),
    ),
    ...added.flatMap((now) => {
      const at = conditionsOf(now).length > 0 ? is(now) : [...is(now), "labelMatchers"];
      return located([at], [widened(`override for ${seriesOf(now)} is new`, now, defaults)]);
    }),
    ...(moved.length === 0 ? [] : [classed("override", "unclear", order, [orderOf(list)])]),
  ];
}

/** Each sentence about the conditions also names the series. */
function changeFindings(old: Override, now: Override, path: Path): readonly LocatedFinding[] {
  const [before, after] = [conditionsOf(old), conditionsOf(now)];
  const paths = itemPaths([...path, "severityConditions", "conditions"], before, after);
  const what = `override for ${seriesOf(now)},`;
  return located([[...path, "labelMatchers"]], conditionFindings(what, before, after, paths));
}

function coverageFindings(old: Override, now: Override, path: Path, defaults: Defaults): readonly LocatedFinding[] {
  const conditions = changeFindings(old, now, path);
  const [more, less] = [covers(now, old), covers(old, now)];
  const sides = `override for ${seriesOf(old)} → ${seriesOf(now)}`;
  if (more && less) return conditions;
  if (more) return [...conditions, widened(`${sides} covers more series`, now, defaults)];
  if (!less) return [...conditions, widened(`${sides} covers other series`, now, defaults, "unclear")];
  return [...conditions, uncovered(`${sides} covers fewer series`, "the others", old, defaults)];
}

/** An override replaces all defaults and has no severity of its own: it gets the highest severity of the defaults. */
const highest = ({ critical, warn }: Defaults) => (critical.length > 0 ? critical : warn);
const dropsWarn = ({ critical, warn }: Defaults) => critical.length > 0 && warn.length > 0;

/** The defaults apply again to series that an override covered. */
function uncovered(words: string, whom: string, old: Override, defaults: Defaults): LocatedFinding {
  const conditions = highest(defaults);
  const direction = directionOf(conditionsOf(old), conditions) ?? "unclear";
  const warn = dropsWarn(defaults) ? `, and again as warn with ${listOf(defaults.warn)}` : "";
  const all = dropsWarn(defaults) ? together([direction, "alerts-more"]) : direction;
  return classed(
    "override",
    all ?? direction,
    `${words}: ${firesText[direction]} for ${whom}, with ${listOf(conditions)}${warn}`,
  );
}

/** An override applies to series that the defaults covered. */
function widened(words: string, now: Override, defaults: Defaults, known?: Direction): LocatedFinding {
  const conditions = highest(defaults);
  const direction = known ?? directionOf(conditions, conditionsOf(now)) ?? "unclear";
  const warn = dropsWarn(defaults) ? `, and no longer as warn with ${listOf(defaults.warn)}` : "";
  const all = dropsWarn(defaults) ? together([direction, "alerts-less"]) : direction;
  const text = `${words}, with ${listOf(conditionsOf(now))} instead of ${listOf(conditions)}: ${firesText[direction]} for them${warn}`;
  return { class: "override", direction: all ?? direction, text, at: [] };
}

const conditionsOf = ({ severityConditions }: Override): Conditions => severityConditions?.conditions ?? [];

const listOf = (conditions: Conditions) =>
  conditions.length === 0 ? "no condition" : conditions.map(conditionText).join(" or ");

/** `region="eu" and env=~"p.*"` */
const seriesOf = ({ labelMatchers = [] }: Override) =>
  labelMatchers.length === 0
    ? "every series"
    : listed(
        labelMatchers.map(
          ({ name = "", type, value = "" }) =>
            `${bare(name)}${signs[type ?? ""] ?? ` ${bare(type ?? "")} `}${shown(value)}`,
        ),
      );

const signs: Readonly<Record<string, string>> = { EXACT: "=", REGEX: "=~" };

const matchersKey = ({ labelMatchers = [] }: Override) =>
  JSON.stringify(
    labelMatchers.map(({ name = "", type = "", value = "" }) => JSON.stringify([name, type, value])).sort(),
  );

/** Whether the first override covers every series of the second. */
const covers = ({ labelMatchers: wide = [] }: Override, { labelMatchers: narrow = [] }: Override) =>
  wide.every((matcher) => narrow.some((other) => other.name === matcher.name && isWithin(other, matcher)));
