import { readFileSync } from "node:fs";

/** What Prometheus's parser says of expressions; how it was recorded is in the file. */
export const verdicts: Readonly<Record<"accepted" | "rejected" | "newer" | "rejectedByItsEngine", readonly string[]>> =
  JSON.parse(readFileSync(new URL("promqlVerdicts.json", import.meta.url), "utf8"));
