import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder in which set-up keeps its records of the checkout `at`. It is in node_modules, so both go together. */
export const stateFolder = (at = root) => join(at, "node_modules/.cache/pulumi-observability");
