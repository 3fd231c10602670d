import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** What set-up remembers about the checkout at `at`; it goes when node_modules goes, and that is right. */
export const stateFolder = (at = root) => join(at, "node_modules/.cache/pulumi-observability");
