import type { Constraint } from "./rules.js";
import { orEmpty, text } from "./constraints.js";

export const longestSlug = 255;

const slug: Constraint = {
  pattern: `^[A-Za-z0-9_-]{1,${longestSlug}}$`,
  "x-expected": `1 to ${longestSlug} letters, digits, "_" and "-"`,
};

/** The fields of every kind except a singleton. */
export const identity: Constraint = {
  required: ["name"],
  properties: {
    name: {
      ...text,
      maxLength: 1_000,
      "x-expected": "1 to 1000 characters that are not all blank",
      "x-unquoted": true,
    },
    slug: orEmpty(slug),
  },
};

const slugPattern = new RegExp(String(slug.pattern));

export function isSlug(text: string): boolean {
  return slugPattern.test(text);
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
