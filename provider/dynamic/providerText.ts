/**
 * The code that state records for each resource. Never edit it: states keep it forever. A `v2` would be added, and `v1`
 * would stay.
 *
 * It contains only the kind's name, and resolves this package from the program's folder. The second path finds the package
 * under pnpm if it is a dependency of a dependency.
 */
export const providerText = (kind: string) =>
  'exports.handler=()=>{const r=require,c=process.cwd();return r(r.resolve("pulumi-observability/provider",' +
  `{paths:[c,c+"/node_modules/.pnpm/node_modules"]})).v1("${kind}")};`;

/** The kind that a recorded text names; undefined if it is no such text. */
export const kindOfProviderText = (text: unknown): string | undefined =>
  typeof text === "string" ? /\.v\d+\("(\w+)"\)/.exec(text)?.[1] : undefined;
