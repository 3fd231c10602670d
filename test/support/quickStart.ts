import { join } from "node:path";

const preload = join(import.meta.dirname, "late.cjs");

/** What Node.js takes before a script's name, for Pulumi's SDK to load late what only programs need. */
export const loadsLate = ["--require", preload];

/** The environment of an engine that ends in a second or two: it and its providers start in half the time. */
export const quickStart = {
  NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
  // No run lives long enough for a collection to pay, below a limit that ends none of them.
  GOGC: "off",
  GOMEMLIMIT: "512MiB",
};
