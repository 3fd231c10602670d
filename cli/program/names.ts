import { hash } from "node:crypto";
import { slugFrom } from "../../provider/schema/names";

/** Names in a written program, each given once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(
    taken: Iterable<string> = [],
    private readonly numbered = numberedVariable,
  ) {
    this.#taken = new Set(taken);
  }

  /** The first free one of the wished names, else the first one with a number. */
  free(first: string, ...others: readonly string[]): string {
    const wishes = [first, ...others];
    const found = firstFree(
      (name) => !this.#taken.has(name),
      (count) => wishes[count - 1] ?? this.numbered(first, count - others.length),
    );
    this.#taken.add(found);
    return found;
  }
}

/** The first of many names that is free. @param nameOf The name of each count, from 1. */
export function firstFree(isFree: (name: string) => boolean, nameOf: (count: number) => string): string {
  for (let count = 1; ; count++) if (isFree(nameOf(count))) return nameOf(count);
}

/** `errors` → `errors-2` */
export const numberedSlug = (name: string, count: number) => `${name}-${count}`;

/** `checkout` → `checkout2`. A digit at the end would run into the number: `checkout5` → `checkout5_2`. */
const numberedVariable = (name: string, count: number) => `${name}${/\d$/.test(name) ? "_" : ""}${count}`;

/** Longer names are cut. */
const longestVariable = 60;

/** Words that no variable may be called, and the names that a written program imports or has anyway. */
const reserved = new Set(
  (
    "abstract any arguments as async await boolean break case catch class config const continue debugger default delete do " +
    "else enum eval export exports extends false finally for from function get global if implements import in " +
    "instanceof interface let module new null number obs of package private process protected public pulumi require " +
    "return set static string super switch symbol this throw true try type typeof undefined var void while with yield"
  ).split(" "),
);

/** `checkout-errors` → `checkoutErrors`. Begins with `kind` if the text begins with no letter or is a reserved word. */
export function variableOf(text: string, kind: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter(Boolean);
  let cut = "";
  for (const word of words) {
    const longer = cut + (cut === "" ? lowerFirst(word) : upperFirst(word));
    // Whole words, if the first one fits.
    if (cut !== "" && longer.length > longestVariable) break;
    cut = longer.slice(0, longestVariable);
  }
  return /^[a-z]/.test(cut) && !reserved.has(cut) ? cut : `${lowerFirst(kind)}${upperFirst(cut)}`;
}

/** The environment variable of a secret: `oncallBRoutingKey` → `ONCALL_B_ROUTING_KEY`. */
export const variableFor = (key: string): string => wordsApart(key).replace(/\W/g, "_").toUpperCase();

/** `KubePodCrash (Zürich)` → `kube-pod-crash-zurich`; empty if no character fits. */
export const kebab = (text: string): string =>
  wordsApart(text.normalize("NFKD").replace(/\p{Mark}+/gu, ""))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestKebab)
    .replace(/^-+|-+$/g, "");

// A slug has up to 255 characters, of which a prefix and a number may need some.
const longestKebab = 200;

/** `oncallBRoutingKey` → `oncall-B-Routing-Key` */
const wordsApart = (text: string) =>
  text.replace(/([a-z0-9])([A-Z])/g, "$1-$2").replace(/([A-Z])([A-Z][a-z])/g, "$1-$2");

/** `SLO` → `slo`, `Checkout` → `checkout`. */
const lowerFirst = (text: string) => text.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of the file for a label's value, of at most 100 characters, without its ending; empty if no character fits. */
export function fileNameFrom(value: unknown): string {
  const name = typeof value === "string" ? slugFrom("", value) : "";
  return name.length > 100 ? `${name.slice(0, 91)}-${hash("sha256", name).slice(0, 8)}` : name;
}
