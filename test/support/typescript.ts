import { createRequire } from "node:module";
import type typescript from "typescript";

/** The compiler. An import would first look for names in its nine megabytes, which takes longer than to load it. */
export const ts = createRequire(import.meta.url)("typescript") as typeof typescript;
