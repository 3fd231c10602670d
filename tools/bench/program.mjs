/** @typedef {import("../../dist/provider/schema/kind.js").Kind} Kind */

/** The environment variables of the program: its number of resources, and how many of them are changed. */
export const sizeVariable = "BENCH_RESOURCES";
export const changedVariable = "BENCH_CHANGED";

/** The slug of each resource. @param {Kind} kind @param {number | string} i */
export const slugOf = ({ example }, i) => `${example.args.slug}-${i}`;

/** A program as a user writes it, with many resources of one kind. @param {Kind} kind */
export const ourProgram = (kind) => `import * as obs from "pulumi-observability";

${loop(kind, `obs.${kind.name}`)}`;

/**
 * The same resources as plain dynamic ones, with each property declared and a provider that does nothing.
 * @param {Kind} kind
 */
export const plainProgram = (kind) => `import * as pulumi from "@pulumi/pulumi";

const then = "2026-01-01T00:00:00Z";

const provider: pulumi.dynamic.ResourceProvider = {
  check: async (_olds: any, news: any) => ({ inputs: news, failures: [] }),
  diff: async (_id: string, olds: any, news: any) =>
    Object.keys(news).some((key) => JSON.stringify(news[key]) !== JSON.stringify(olds[key])) ? {} : { changes: false },
  create: async (inputs: any) => ({ id: inputs.slug, outs: { ...inputs, createdAt: then, updatedAt: then } }),
  update: async (_id: string, olds: any, news: any) => ({ outs: { ...news, createdAt: olds.createdAt, updatedAt: then } }),
  read: async (id: string, props: any) => ({ id, props }),
  delete: async () => undefined,
};

class Plain extends pulumi.dynamic.Resource {
  constructor(name: string, args: object) {
    super(provider, name, { ...args, createdAt: undefined, updatedAt: undefined });
  }
}

${loop(kind, "Plain")}`;

/** @param {Kind} kind @param {string} className */
function loop(kind, className) {
  const { name, slug: _slug, ...rest } = kind.example.args;
  const slug = slugOf(kind, "${i}");
  return `const resources = Number(process.env.${sizeVariable});
const changed = Number(process.env.${changedVariable});

for (let i = 0; i < resources; i++) {
  new ${className}(\`${slug}\`, {
    name: \`${name} \${i}\${i < changed ? ", changed" : ""}\`,
    slug: \`${slug}\`,
${Object.entries(rest)
  .map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`)
  .join("")}  });
}
`;
}
