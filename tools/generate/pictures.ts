import { header, markdownComment } from "./source";

/** Above a block of a page that is a picture too. The tests of the page prove that the block is what a command prints. */
const marker = /^<!-- A picture too: (\w+)\. -->\n\n```text\n(.*?)\n```$/gms;

/** The pictures in a page: SVG by its path from the project's root. */
export const picturesOf = (page: string, text: string): [string, string][] =>
  [...text.matchAll(marker)].map(([, name = "", block = ""]) => [
    `docs/pictures/${name}.gen.svg`,
    picture(page, block.split("\n")),
  ]);

/** The most lines that a picture shows. */
const most = 16;
/** Of a character, in pixels. */
const [width, height] = [8, 20];

/** Lines as a terminal shows them, in the light or dark of the person who looks. */
function picture(page: string, lines: readonly string[]): string {
  const shown = lines.length > most ? [...lines.slice(0, most - 1), "…"] : lines;
  const columns = Math.max(...shown.map((line) => line.length));
  const [w, h] = [(columns + 4) * width, (shown.length + 2) * height];
  return [
    header(markdownComment, page),
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">`,
    "<style>",
    "  rect { fill: #f6f8fa; stroke: #d1d9e0; }",
    "  text { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }",
    "  text:first-of-type { font-weight: 600; }",
    "  @media (prefers-color-scheme: dark) { rect { fill: #151b23; stroke: #3d444d; } text { fill: #f0f6fc; } }",
    "</style>",
    `<rect x="0.5" y="0.5" width="${w - 1}" height="${h - 1}" rx="6"/>`,
    ...shown.map((line, row) => textAt(row, line)).filter((text) => text !== ""),
    "</svg>",
    "",
  ].join("\n");
}

/** A line, of the same width in every font. */
function textAt(row: number, line: string): string {
  const said = line.trimStart();
  if (said === "") return "";
  const [x, y] = [(line.length - said.length + 2) * width, (row + 1.7) * height];
  return `<text x="${x}" y="${y}" textLength="${said.length * width}" lengthAdjust="spacingAndGlyphs">${escaped(said)}</text>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
