import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../output/files";
import { plainly } from "../output/words";
import type { ReportContent } from "./content";

/** Writes a report as one file that loads nothing else. @returns its size in bytes. */
export function writeReport(file: string, content: ReportContent): number {
  const html = htmlOf(content);
  writeText(file, html);
  return Buffer.byteLength(html);
}

function htmlOf(content: ReportContent): string {
  const [script, style] = ["bundle.mjs", "bundle.css"].map((name) => readFileSync(join(__dirname, name), "utf8"));
  const hash = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plainly(content.title).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}: alerting</title>
<style>${style}</style>
</head>
<body>
<script type="application/json" id="content">${jsonOf(content)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** JSON that ends no script element. Control and direction characters are escaped, except for line breaks. */
const jsonOf = (content: ReportContent) =>
  JSON.stringify(content, (_, value: unknown) =>
    typeof value === "string" ? value.split("\n").map(plainly).join("\n") : value,
  ).replaceAll("<", "\\u003c");
