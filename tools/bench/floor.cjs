// The floor: a provider that does nothing. Loaded first, it is what the package's `./provider` resolves to. Its verbs answer
// at once; its create answers after the time that a real create would wait for its answers.

/** @type {any} `Module` has it, and its types don't. */
const Module = require("node:module");
const resolve = Module._resolveFilename;
/** @this {unknown} @param {string} request @param {unknown[]} rest */
Module._resolveFilename = function (request, ...rest) {
  return request === "pulumi-observability/provider" ? __filename : resolve.call(this, request, ...rest);
};

const waitMs = Number(process.env.BENCH_FLOOR_WAIT_MS ?? 0);
const then = "2026-01-01T00:00:00Z";

/** @typedef {Record<string, unknown>} Properties */

/** @param {Properties} properties */
const declared = (properties) =>
  Object.fromEntries(Object.entries(properties).filter(([key, value]) => !key.startsWith("__") && value !== undefined));

/** @param {Properties} olds @param {Properties} news */
const differ = (olds, news) =>
  Object.entries(declared(news)).some(([key, value]) => JSON.stringify(value) !== JSON.stringify(olds[key]));

/** @returns {Required<Omit<import("@pulumi/pulumi").dynamic.ResourceProvider, "configure">>} */
exports.v1 = () => ({
  check: async (_olds, news) => ({ inputs: declared(news), failures: [] }),
  // Like ours, it lets the engine find the differences.
  diff: async (_id, olds, news) => (differ(olds, news) ? {} : { changes: false }),
  create: async (inputs) => {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return { id: inputs.slug, outs: { ...inputs, createdAt: then, updatedAt: then } };
  },
  update: async (_id, olds, news) => ({ outs: { ...news, createdAt: olds.createdAt, updatedAt: then } }),
  read: async (id, props) => ({ id, props: props ?? {} }),
  delete: async () => undefined,
});
