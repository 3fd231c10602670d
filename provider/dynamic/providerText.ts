/**
 * The code that state records for each resource, frozen: states hold it forever, so it is never edited. A `v2` would be
 * added beside it, and `v1` answered for as long as this package exists.
 *
 * It captures nothing but the kind's name and resolves this package from the program's folder; the second path finds it
 * under pnpm where it is a dependency of a dependency.
 */
export const providerText = (kind: string) =>
  'exports.handler=()=>{const r=require,c=process.cwd();return r(r.resolve("pulumi-observability/provider",' +
  `{paths:[c,c+"/node_modules/.pnpm/node_modules"]})).v1("${kind}")};`;
