/**
 * The page of figures, with a bench's new ones in the section of its name.
 * @param {string} page
 * @param {string} name
 * @param {string} figures
 */
export function withFigures(page, name, figures) {
  const parts = page.trimEnd().split(/\n\n(?=## )/);
  const old = parts.findIndex((part) => part.startsWith(`## ${name}\n`));
  parts[old < 0 ? parts.length : old] = `## ${name}\n\n\`\`\`text\n${figures}\n\`\`\``;
  return `${parts.join("\n\n")}\n`;
}
