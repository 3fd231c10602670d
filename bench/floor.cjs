// What a provider costs that does nothing: the package's `./provider` in the floor's project. Its verbs answer at once,
// or, creating, after the time that the requests of a real create would wait for their answers.

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
  // As ours, it leaves it to the engine to say what differs.
  diff: async (_id, olds, news) => (differ(olds, news) ? {} : { changes: false }),
  create: async (inputs) => {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return { id: inputs.slug, outs: { ...inputs, createdAt: then, updatedAt: then } };
  },
  update: async (_id, olds, news) => ({ outs: { ...news, createdAt: olds.createdAt, updatedAt: then } }),
  read: async (id, props) => ({ id, props: props ?? {} }),
  delete: async () => undefined,
});
