import type * as types from "../../../sdk/types.gen";
import { listed, quote } from "../../report/words";
import { valuesOf } from "../normal/matchers";
import type { Direction, Finding } from "../risk";
import { conditionFindings, conditionText, directionOf } from "./conditions";
import { loosening, withoutCommon } from "./rules";

type Override = types.ConditionsOverride;
type Conditions = readonly types.Condition[];

/** What a change of the overrides means. @param defaults The conditions of every series without an override. */
export function overrideFindings(
  before: readonly Override[] = [],
  after: readonly Override[] = [],
  defaults: Conditions = [],
): readonly Finding[] {
  const [gone, added] = withoutCommon(before, after, matchersKey);
  const kept = after.filter((each) => !added.includes(each));
  const found = [
    ...before
      .filter((each) => !gone.includes(each))
      .flatMap((old) => {
        const now = kept.find((each) => matchersKey(each) === matchersKey(old));
        return now === undefined
          ? []
          : conditionFindings(`override for ${seriesOf(now)},`, conditionsOf(old), conditionsOf(now));
      }),
    ...gone.flatMap((old, i) => coverageFindings(old, added[i], defaults)),
    ...added.slice(gone.length).map((now) => widened(`override for ${seriesOf(now)} is new`, now, defaults)),
  ];
  const isReordered =
    gone.length + added.length === 0 && before.some((old, i) => matchersKey(old) !== matchersKey(after[i] ?? {}));
  if (!isReordered) return found;
  const text = `overrides in another order: another one may hold for a series`;
  return [...found, { class: "override-widened", direction: "unclear", text }];
}

function coverageFindings(old: Override, now: Override | undefined, defaults: Conditions): readonly Finding[] {
  if (now === undefined) {
    const direction = directionOf(conditionsOf(old), defaults) ?? "unclear";
    return [
      loosening(
        direction,
        `override for ${seriesOf(old)} is removed: ${ends(direction)} for them, with ${listOf(defaults)}`,
      ),
    ];
  }
  const conditions = conditionFindings(`override for ${seriesOf(now)},`, conditionsOf(old), conditionsOf(now));
  const [more, less] = [covers(now, old), covers(old, now)];
  const sides = `override for ${seriesOf(old)} → ${seriesOf(now)}`;
  if (more && less) return conditions;
  if (more) return [...conditions, widened(`${sides} covers more series`, now, defaults)];
  if (!less) return [...conditions, widened(`${sides} covers other series`, now, defaults, "unclear")];
  const direction = directionOf(conditionsOf(old), defaults) ?? "unclear";
  return [
    ...conditions,
    loosening(direction, `${sides} covers fewer series: ${ends(direction)} for the others, with ${listOf(defaults)}`),
  ];
}

function widened(words: string, now: Override, defaults: Conditions, known?: Direction): Finding {
  const direction = known ?? directionOf(defaults, conditionsOf(now)) ?? "unclear";
  const text = `${words}, with ${listOf(conditionsOf(now))} in place of ${listOf(defaults)}: ${ends(direction)} for them`;
  return { class: "override-widened", direction, text };
}

const ends = (direction: Direction) =>
  ({ laxer: "fires later", stricter: "fires earlier", unclear: "fires at other times" })[direction];

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
            `${quote(name).slice(1, -1)}${signs[type ?? ""] ?? ` ${type ?? ""} `}${quote(value)}`,
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

function isWithin(narrow: types.LabelMatcher, wide: types.LabelMatcher): boolean {
  if (narrow.type === wide.type && narrow.value === wide.value) return true;
  const [values, others] = [valuesOf(narrow), valuesOf(wide)];
  if (others === "any") return true;
  return (
    values !== undefined && values !== "any" && others !== undefined && values.every((each) => others.includes(each))
  );
}
