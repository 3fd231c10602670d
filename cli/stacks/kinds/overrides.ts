import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { firstOf, listed } from "../../report/words";
import { isWithin } from "../normal/matchers";
import { gone, orderOf } from "../parts";
import { type Direction, type LocatedFinding, together } from "../risk";
import { bare, shown } from "../values";
import { conditionFindings, type Conditions, conditionText, type Defaults, directionOf, firesText } from "./conditions";
import { located, loosening, withoutCommon } from "./rules";

type Override = types.ConditionsOverride;

const list = ["seriesConditions", "overrides"];

/** What a change of the overrides means. */
export function overrideFindings(
  before: readonly Override[] = [],
  after: readonly Override[] = [],
  defaults: Defaults,
): readonly LocatedFinding[] {
  const [removed, added] = withoutCommon(before, after, matchersKey);
  const kept = new Map(after.filter((each) => !added.includes(each)).map((each) => [matchersKey(each), each]));
  const was = (old: Override): Path => [...list, gone(before.indexOf(old))];
  const is = (now: Override): Path => [...list, after.indexOf(now)];
  const findings = [
    ...before
      .filter((each) => !removed.includes(each))
      .flatMap((old) => {
        const now = kept.get(matchersKey(old));
        return now === undefined ? [] : located([was(old)], changeFindings(old, now, is(now)));
      }),
    ...removed.flatMap((old, i) => {
      const now = added[i];
      if (now !== undefined) return located([was(old), is(now)], coverageFindings(old, now, is(now), defaults));
      return located([was(old)], [uncovered(`override for ${seriesOf(old)} is removed`, "them", old, defaults)]);
    }),
    ...added.slice(removed.length).flatMap((now) => {
      const at = conditionsOf(now).length > 0 ? is(now) : [...is(now), "labelMatchers"];
      return located([at], [widened(`override for ${seriesOf(now)} is new`, now, defaults)]);
    }),
  ];
  const isReordered =
    removed.length + added.length === 0 && before.some((old, i) => matchersKey(old) !== matchersKey(after[i] ?? {}));
  if (!isReordered) return findings;
  const moved = after.filter((now, i) => matchersKey(now) !== matchersKey(before[i] ?? {})).map(seriesOf);
  const text = `overrides in another order, ${firstOf(moved).join(" before ")}: another one may hold for a series`;
  return [...findings, { class: "override-widened", direction: "unclear", text, at: [orderOf(list)] }];
}

/** Each sentence about the conditions names the series too. */
const changeFindings = (old: Override, now: Override, path: Path) =>
  located(
    [[...path, "labelMatchers"]],
    conditionFindings(`override for ${seriesOf(now)},`, {
      path: [...path, "severityConditions", "conditions"],
      before: conditionsOf(old),
      after: conditionsOf(now),
    }),
  );

function coverageFindings(old: Override, now: Override, path: Path, defaults: Defaults): readonly LocatedFinding[] {
  const conditions = changeFindings(old, now, path);
  const [more, less] = [covers(now, old), covers(old, now)];
  const sides = `override for ${seriesOf(old)} → ${seriesOf(now)}`;
  if (more && less) return conditions;
  if (more) return [...conditions, widened(`${sides} covers more series`, now, defaults)];
  if (!less) return [...conditions, widened(`${sides} covers other series`, now, defaults, "unclear")];
  return [...conditions, uncovered(`${sides} covers fewer series`, "the others", old, defaults)];
}

/** An override takes the place of all defaults, and names no severity: it has the gravest of them. */
const gravest = ({ critical, warn }: Defaults) => (critical.length > 0 ? critical : warn);
const dropsWarn = ({ critical, warn }: Defaults) => critical.length > 0 && warn.length > 0;

/** The defaults hold again for series that an override held for. */
function uncovered(words: string, whom: string, old: Override, defaults: Defaults): LocatedFinding {
  const conditions = gravest(defaults);
  const direction = directionOf(conditionsOf(old), conditions) ?? "unclear";
  const warn = dropsWarn(defaults) ? `, and again as warn with ${listOf(defaults.warn)}` : "";
  const all = dropsWarn(defaults) ? together([direction, "stricter"]) : direction;
  return loosening(
    all ?? direction,
    `${words}: ${firesText[direction]} for ${whom}, with ${listOf(conditions)}${warn}`,
  );
}

/** An override holds for series that the defaults held for. */
function widened(words: string, now: Override, defaults: Defaults, known?: Direction): LocatedFinding {
  const conditions = gravest(defaults);
  const direction = known ?? directionOf(conditions, conditionsOf(now)) ?? "unclear";
  const warn = dropsWarn(defaults) ? `, and no longer as warn with ${listOf(defaults.warn)}` : "";
  const all = dropsWarn(defaults) ? together([direction, "laxer"]) : direction;
  const text = `${words}, with ${listOf(conditionsOf(now))} in place of ${listOf(conditions)}: ${firesText[direction]} for them${warn}`;
  return { class: "override-widened", direction: all ?? direction, text, at: [] };
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

/** Whether every series of the other override is one of this too. */
const covers = ({ labelMatchers: wide = [] }: Override, { labelMatchers: narrow = [] }: Override) =>
  wide.every((matcher) => narrow.some((other) => other.name === matcher.name && isWithin(other, matcher)));
