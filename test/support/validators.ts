import { isDeep } from "./figures.js";

/** Who asks the service in a preview: the classes, or `check` if their settings are not the provider's. */
export type Validator = "class" | "check";

/** Those with which a preview is tried. */
export const validators: readonly Validator[] = isDeep ? ["class", "check"] : ["class"];

/** Given to one of program and provider alone, it makes their settings differ. */
export const otherSettings = { OBSERVABILITY_MAX_CONCURRENCY: "15" };
