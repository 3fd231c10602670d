/** @typedef {import("../../dist/provider/schema/kind.js").Kind} Kind */

/** The environment variables of the program: its number of resources, and how many of them are changed. */
export const sizeVariable = "BENCH_RESOURCES";
export const changedVariable = "BENCH_CHANGED";

/** The slug of each resource. @param {Kind} kind @param {number | string} i */
export const slugOf = ({ example }, i) => `${example.slug}-${i}`;

/** A program as a user writes it, with many resources of one kind. @param {Kind} kind */
export function programOf(kind) {
  const { name, slug: _slug, ...rest } = kind.example;
  const slug = slugOf(kind, "${i}");
  return `import * as obs from "pulumi-observability";

const resources = Number(process.env.${sizeVariable});
const changed = Number(process.env.${changedVariable});

for (let i = 0; i < resources; i++) {
  new obs.${kind.name}(\`${slug}\`, {
    name: \`${name} \${i}\${i < changed ? ", changed" : ""}\`,
    slug: \`${slug}\`,
${Object.entries(rest)
  .map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`)
  .join("")}  });
}
`;
}
