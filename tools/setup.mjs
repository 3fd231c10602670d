import { join } from "node:path";
import { compile, installMissing } from "./checkout.mjs";
import { withLock } from "./lock.mjs";
import { createLog, SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import { isAtLeast } from "./pulumi.mjs";
import { ensurePulumi } from "./pulumi-get.mjs";

const minimumNode = "20.18.1";

/** Whoever has this lock may change what is installed and compiled. Outside of node_modules, which npm ci empties. */
const lockFile = join(root, ".set-up.lock");

/**
 * Makes the checkout ready: dependencies and compiled code. Says nothing if it is ready. Repeats work that an earlier run
 * left incomplete. Everything that it imports runs without node_modules.
 * @param {{ despiteErrors?: boolean }} [options] `despiteErrors`: the generator repairs generated code that does not compile
 */
export async function setUp({ despiteErrors = false } = {}) {
  checkNode(process.versions.node);
  const log = createLog();
  // Two commands at once must not install or compile over each other.
  await withLock(lockFile, { log, task: "sets this checkout up" }, async () => {
    await installMissing({ root, log });
    await compile({ root, log, despiteErrors });
  });
}

/** The same with the Pulumi CLI, which it returns. */
export async function setUpWithPulumi() {
  await setUp();
  return ensurePulumi({ env: process.env, log: createLog() });
}

/** @param {string} version */
export function checkNode(version) {
  if (!isAtLeast(version, minimumNode))
    throw new SetUpError(`this is Node.js ${version}; install Node.js ${minimumNode} or newer, then run this again`);
}
