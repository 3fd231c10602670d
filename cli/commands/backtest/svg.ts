import type { Span } from "../../../sdk/behavior/signals";
import { Zone } from "../../../sdk/behavior/zones";
import { isAtNight, type Night } from "../../backtest/night";
import type { Backtested } from "../../backtest/result";
import { firingTimes } from "../../backtest/timeLine";
import { timeText } from "../../report/words";

const width = 720;
const left = 56;
const rowHeight = 22;
const colors = { before: "#8c959f", after: "#cf222e" } as const;

/** The timeline of both sides as a picture with shaded nights. Its colors are readable on light and dark pages. */
export function svgOf(
  monitor: Backtested,
  sentence: string,
  { span, night, zone }: { readonly span: Span; readonly night: Night; readonly zone: string },
): string {
  const sides = (["before", "after"] as const).flatMap((side) => {
    const found = monitor[side];
    return found === undefined ? [] : [{ side, firing: firingTimes(found) }];
  });
  const height = sides.length * rowHeight + 20;
  const xOf = (time: number) => left + ((time - span.from) / (span.to - span.from)) * (width - left);
  const bar = (from: number, to: number, y: number, size: number, more: string) => {
    const [start, end] = [xOf(Math.max(from, span.from)), xOf(Math.min(to, span.to))];
    return `<rect x="${round(start)}" y="${y}" width="${round(Math.max(1, end - start))}" height="${size}" ${more}/>`;
  };
  const rows = sides.map(({ side, firing }, i) => {
    const y = i * rowHeight;
    return [
      `<text x="0" y="${y + 15}">${side}</text>`,
      `<rect x="${left}" y="${y + 19}" width="${width - left}" height="1" fill="#8c959f"/>`,
      ...firing.map(({ from, to }) => bar(from, to, y + 3, 16, `fill="${colors[side]}"`)),
    ].join("");
  });
  const nights = nightsIn(span, night, zone).map(({ from, to }) =>
    bar(from, to, 0, height - 20, 'fill="#8c959f" fill-opacity="0.15"'),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#8c959f">`,
    `<title>${escaped(sentence)}</title>`,
    ...nights,
    ...rows,
    `<text x="${left}" y="${height - 4}">${timeText(span.from)} UTC</text>`,
    `<text x="${width}" y="${height - 4}" text-anchor="end">${timeText(span.to)} UTC</text>`,
    "</svg>\n",
  ].join("\n");
}

/** The nights of a span, to the quarter of an hour; none for spans over 100 days, which would be all gray. */
function nightsIn({ from, to }: Span, night: Night, zone: string): readonly Span[] {
  if (to - from > 100 * 86_400) return [];
  const place = Zone.named(zone);
  const step = 900;
  const nights: { from: number; to: number }[] = [];
  for (let time = Math.floor(from / step) * step; time < to; time += step) {
    if (!isAtNight(time, night, place)) continue;
    const last = nights.at(-1);
    if (last?.to === time) last.to = time + step;
    else nights.push({ from: time, to: time + step });
  }
  return nights;
}

const round = (value: number) => Number(value.toFixed(1));
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
