import type * as types from "../../../sdk/types.gen";
import { type Direction, type Finding, opposite, together } from "../risk";
import { arrow, shown, withUnit } from "../words";
import { growing, loosening, withoutCommon } from "./rules";

type Condition = types.Condition;

/** How the values on one side of a threshold are compared. */
const above = ["GT", "GEQ"];
const below = ["LT", "LEQ"];
const withEquals = ["GEQ", "LEQ"];

/** What a change of one list of conditions means; any of them fires. */
export function conditionFindings(
  what: string,
  before: readonly Condition[] = [],
  after: readonly Condition[] = [],
): readonly Finding[] {
  const [gone, added] = paired(before, after);
  const changed = gone.flatMap((old, i) => {
    const now = added[i];
    return now === undefined ? [] : changeOf(what, old, now);
  });
  const end = before.length > 0 && after.length === 0 ? `: no longer fires as ${what}` : "";
  return [
    ...changed,
    ...gone
      .slice(added.length)
      .map((old) => loosening("laxer", `${what} condition ${conditionText(old)} is removed${end}`)),
    ...added
      .slice(gone.length)
      .map((now) => loosening("stricter", `${what} condition ${conditionText(now)} is added: fires more often`)),
  ];
}

/** Whether conditions fire later or earlier than others; undefined if they are the same. */
export function directionOf(
  before: readonly Condition[] = [],
  after: readonly Condition[] = [],
): Direction | undefined {
  return together(conditionFindings("", before, after).map(({ direction }) => direction));
}

/** `GT 0.05 for 120 s` */
export const conditionText = ({ op, value = 0, sustainSecs }: Condition) =>
  `${op ?? ""} ${shown(value)}${sustainText(sustainSecs)}`.trim();

const sustainText = (secs: number | undefined) => (secs ? ` for ${withUnit(secs, "s")}` : "");

/** The conditions that differ: those of the same operator side by side. */
function paired(before: readonly Condition[], after: readonly Condition[]) {
  const [gone, added] = withoutCommon(before, after, meaning);
  const rest = [...added];
  const partners = gone.map((old) => {
    const at = rest.findIndex(({ op }) => op === old.op);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  });
  const all = gone.map((old, i) => [old, partners[i] ?? rest.shift()] as const);
  const pairs = all.filter((pair): pair is readonly [Condition, Condition] => pair[1] !== undefined);
  const alone = all.flatMap(([old, now]) => (now === undefined ? [old] : []));
  return [
    [...pairs.map(([old]) => old), ...alone],
    [...pairs.map(([, now]) => now), ...rest],
  ] as const;
}

const meaning = ({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }: Condition) =>
  JSON.stringify([op, value, sustainSecs, resolveSustainSecs]);

function changeOf(what: string, old: Condition, now: Condition): readonly Finding[] {
  const [threshold, sustain] = [thresholdDirection(old, now), growing(old.sustainSecs, now.sustainSecs)];
  const resolve = growing(old.resolveSustainSecs, now.resolveSustainSecs);
  const firing = together([threshold, sustain].filter((each) => each !== undefined));
  const sameOp = old.op === now.op;
  const places = [
    ...(sameOp
      ? []
      : [
          `${conditionText({ op: old.op ?? "", value: old.value ?? 0 })} → ${conditionText({ op: now.op ?? "", value: now.value ?? 0 })}`,
        ]),
    ...(sameOp && old.value !== now.value ? [`threshold ${arrow(old.value ?? 0, now.value ?? 0)}`] : []),
  ];
  const held =
    sustain === undefined
      ? sustainText(now.sustainSecs)
      : `${places.length === 0 ? ` threshold ${shown(now.value ?? 0)}` : ""}, sustain ${arrow(old.sustainSecs ?? 0, now.sustainSecs ?? 0, "s")}`;
  return [
    ...(firing === undefined
      ? []
      : [
          loosening(
            firing,
            `${what}${places.length === 0 ? "" : ` ${places.join(", ")}`}${held}: ${{ laxer: "fires later", stricter: "fires earlier", unclear: "fires at other times" }[firing]}`,
          ),
        ]),
    ...(resolve === undefined
      ? []
      : [
          // The longer an alert must be quiet to end, the longer it is seen.
          loosening(
            opposite(resolve),
            `${what} ${conditionText(now)}, resolve sustain ${arrow(old.resolveSustainSecs ?? 0, now.resolveSustainSecs ?? 0, "s")}: ${{ laxer: "resolves later", stricter: "resolves earlier", unclear: "resolves at another time" }[resolve]}`,
          ),
        ]),
  ];
}

function thresholdDirection(old: Condition, now: Condition): Direction | undefined {
  const [from, to] = [old.op ?? "", now.op ?? ""];
  const side = [above, below].find((ops) => ops.includes(from) && ops.includes(to));
  if (side === undefined) return from === to && (old.value ?? 0) === (now.value ?? 0) ? undefined : "unclear";
  const further = side === above ? growing(old.value, now.value) : growing(now.value, old.value);
  if (further !== undefined && from === to) return further;
  // The same side, but once with the threshold itself.
  const inclusive = withEquals.includes(from) === withEquals.includes(to) ? undefined : withEquals.includes(to);
  const widened: Direction | undefined = inclusive === undefined ? undefined : inclusive ? "stricter" : "laxer";
  return together([further, widened].filter((each) => each !== undefined));
}
