import { join } from "node:path";
import { writeFiles } from "./folders.js";

const preload = join(import.meta.dirname, "late.cjs");

/** What Node.js takes before a script's name, for Pulumi's SDK to load late what only programs need. */
export const loadsLate = ["--require", preload];

/** The environment of an engine that ends in a second or two, in which its processes load all that they would. */
export const plainStart = {
  // A proxy's certificates, which Node.js reads at each start. The services of the tests are local.
  NODE_EXTRA_CA_CERTS: "",
  // No run lives long enough for a collection to pay, below a limit that ends none of them.
  GOGC: "off",
  GOMEMLIMIT: "512MiB",
  // The tests run side by side already, and threads that wait for work take time too.
  GOMAXPROCS: "1",
};

/** The environment of an engine whose processes start in half the time. */
export const quickStart = { ...plainStart, NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };

/** The plugin that a project declares for its engine to start each provider as one process, not two. Windows takes no script. */
export const quickPlugins =
  process.platform === "win32" ? [] : [{ name: "pulumi-nodejs", path: join(import.meta.dirname, "quick") }];

/** A home for an engine that writes no log of its own: a file has the name of the log's folder. */
export function homeIn(folder: string): string {
  const home = join(folder, "home");
  writeFiles(home, { logs: "" });
  return home;
}
