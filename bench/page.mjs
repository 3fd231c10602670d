import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/project.mjs";
import { plot } from "./plot.mjs";

const page = join(root, "docs/performance.md");

/**
 * Writes a bench's results into docs/performance.md, so that nobody copies figures by hand.
 * @param {{ name: string, text: string, points: readonly import("./result.mjs").Point[] }} found
 */
export function writePage({ name, text, points }) {
  const picture = points.length > 0 ? "![Wall time against the number of resources](performance.svg)\n\n" : "";
  if (points.length > 0) writeFileSync(join(root, "docs/performance.svg"), plot(points));
  writeFileSync(page, withFound(readFileSync(page, "utf8"), name, `${picture}\`\`\`text\n${text}\n\`\`\`\n`));
}

/**
 * The page with a new text between the marks of a bench.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function withFound(page, name, text) {
  const [begin, end] = [`<!-- bench ${name} -->\n`, `<!-- end of bench ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for the bench "${name}"`);
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}
