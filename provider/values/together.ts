/** The number of objects that one text names. */
const mostTold = 10;

/**
 * The same of several objects in one text.
 * @param all Of how many it is true, with those of earlier texts.
 */
export function together(what: string, objects: readonly string[], all = objects.length): string {
  if (all === 1) return `${objects.join("")}: ${what}`;
  const count = `${objects.length} object${objects.length === 1 ? "" : "s"}`;
  const inAll = all === objects.length ? "" : `, ${all} in all`;
  const more = objects.length > mostTold ? `; and ${objects.length - mostTold} more` : "";
  return `${what}: ${count}${inAll}: ${[...objects].sort().slice(0, mostTold).join("; ")}${more}`;
}
