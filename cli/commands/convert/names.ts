/** `KubePodCrashLooping` → `kube-pod-crash-looping`; empty if no character fits. */
export function kebab(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
}

// A slug has up to 255 characters, of which a prefix and a number may need some.
const longest = 200;

/** `team-x-pager` and `routingKey` → `teamXPagerRoutingKey`. */
export function camel(...words: readonly string[]): string {
  const parts = words.flatMap((word) => kebab(word).split("-")).filter((part) => part !== "");
  return parts.map((part, i) => (i === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("");
}

/** `errors` → `errors-2` */
export const numberedSlug = (name: string, count: number) => `${name}-${count}`;
