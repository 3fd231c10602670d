import type { Problem } from "../errors.js";
import { quote } from "../json.js";
import { Problems } from "./rules.js";

const longestName = 1_000;
export const longestSlug = 255;

/** The rules for slug and name, which every kind except a singleton has. */
export function identityProblems({
  slug,
  name,
}: {
  readonly slug?: string;
  readonly name?: string;
}): readonly Problem[] {
  const problems = new Problems();
  if (slug && !isSlug(slug)) {
    problems.add("slug", `expected 1 to ${longestSlug} letters, digits, "_" and "-", got ${quote(slug)}`);
  }
  problems.require("name", name);
  const length = [...(name ?? "")].length;
  if (length > longestName) problems.add("name", `has ${length} characters, at most ${longestName} are allowed`);
  if (!slug && name && slugFrom(name) === "") {
    problems.add("slug", `the name ${quote(name)} has no character that a slug may hold; give a slug`);
  }
  return problems.found;
}

function isSlug(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,255}$/.test(text);
}

/** `"Checkout: on call!"` → `checkout-on-call`; empty if no character of the name fits a slug. */
export function slugFrom(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, longestSlug)
    .replace(/-+$/, "");
}

/** The nth slug to try: `slug`, `slug-1`, `slug-2` … */
export function candidate(slug: string, n: number): string {
  if (n === 0) return slug;
  const ending = `-${n}`;
  return slug.slice(0, longestSlug - ending.length) + ending;
}
