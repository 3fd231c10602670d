/** The namespace of stack config: `observability:baseUrl`. */
export const namespace = "observability";

/** `baseUrl` → `OBSERVABILITY_BASE_URL`. */
export function environmentVariable(setting: string): string {
  return `${namespace}_${snakeCase(setting)}`.toUpperCase();
}

/** `startHhMm` → `start_hh_mm`. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `start_hh_mm` → `startHhMm`. */
export const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The prefix and a Pulumi resource name in slug form: `Checkout errors!` → `checkout-errors`. */
export function slugFrom(prefix: string, name: string): string {
  const form = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return form === "" ? "" : prefix + form;
}

/** Why a slug that was made from a resource's name is not valid; undefined if it is. */
export function slugProblem(name: string, slug: string): string | undefined {
  if (slug !== "" && slug.length <= 255) return undefined;
  const fault =
    slug === "" ? "has no character that a slug can contain" : "results in a slug of more than 255 characters";
  return `slug: the resource's name "${name}" ${fault}. Set slug`;
}
