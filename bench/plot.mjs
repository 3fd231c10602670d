/** @typedef {import("./result.mjs").Point} Point */

const size = { width: 760, height: 420 };
const frame = { left: 60, right: 560, top: 20, bottom: 370 };
/** A colour for what is compared, dashes for what it is compared with. @type {Readonly<Record<string, string>>} */
const colors = { "nothing changed": "#0a7d5a", "all changed": "#b3441e" };

/**
 * An SVG of wall time against the number of resources, with one line per series. A straight line is linear growth.
 * @param {readonly Point[]} points
 */
export function plot(points) {
  const [mostResources, mostSeconds] = [
    roundUp(Math.max(...points.map(({ resources }) => resources))),
    roundUp(Math.max(...points.map(({ seconds }) => seconds))),
  ];
  /** @param {number} resources */
  const x = (resources) => round(frame.left + (resources / mostResources) * (frame.right - frame.left));
  /** @param {number} seconds */
  const y = (seconds) => round(frame.bottom - (seconds / mostSeconds) * (frame.bottom - frame.top));
  const steps = [0, 0.2, 0.4, 0.6, 0.8, 1];

  const grid = steps.flatMap((step) => {
    const [resources, seconds] = [step * mostResources, step * mostSeconds];
    return [
      `<path d="M${frame.left} ${y(seconds)}H${frame.right}" stroke="#ddd"/>`,
      text(frame.left - 8, y(seconds) + 4, number(seconds), 'text-anchor="end"'),
      text(x(resources), frame.bottom + 20, number(resources), 'text-anchor="middle"'),
    ];
  });
  const series = [...new Set(points.map((point) => point.series))].map((name) => {
    const own = points.filter((point) => point.series === name).sort((a, b) => a.resources - b.resources);
    return { name, own, last: own.at(-1)?.seconds ?? 0 };
  });
  // Each label is at the end of its line; labels that would overlap are put one under the other.
  let above = Infinity;
  const lines = series
    // One size alone shows no growth.
    .filter(({ own }) => own.length > 1)
    .sort((a, b) => a.last - b.last)
    .flatMap(({ name, own, last }) => {
      const [side = "", what = ""] = name.split(", ");
      const color = colors[what] ?? "#333";
      const dash = side === "ours" ? "" : ' stroke-dasharray="6 4"';
      above = Math.min(y(last) + 4, above - 16);
      return [
        `<polyline points="${own.map((point) => `${x(point.resources)},${y(point.seconds)}`).join(" ")}" fill="none" stroke="${color}" stroke-width="2"${dash}/>`,
        ...own.map((point) => `<circle cx="${x(point.resources)}" cy="${y(point.seconds)}" r="3" fill="${color}"/>`),
        text(frame.right + 10, above, name, `fill="${color}"`),
      ];
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="13">`,
    "<title>Wall time of a preview against the number of resources</title>",
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    ...grid,
    ...lines,
    text((frame.left + frame.right) / 2, size.height - 8, "resources", 'text-anchor="middle"'),
    text(
      18,
      (frame.top + frame.bottom) / 2,
      "seconds",
      `text-anchor="middle" transform="rotate(-90 18 ${(frame.top + frame.bottom) / 2})"`,
    ),
    "</svg>\n",
  ].join("\n");
}

/** @param {number} x @param {number} y @param {string} words @param {string} attributes */
const text = (x, y, words, attributes) => `<text x="${x}" y="${y}" ${attributes}>${words}</text>`;

/** The next of 1, 1.5, 2 … times a power of ten, whose fifths are round. @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {number} value */
const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
