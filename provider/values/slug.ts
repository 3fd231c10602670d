/** The prefix and a Pulumi resource name in slug form: `Checkout errors!` → `checkout-errors`. */
export function slugFrom(prefix: string, name: string): string {
  const form = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return form === "" ? "" : prefix + form;
}
