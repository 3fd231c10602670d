import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder in which set-up keeps its records. It is in node_modules, so both go together. */
export const stateFolder = join(root, "node_modules/.cache/pulumi-observability");
