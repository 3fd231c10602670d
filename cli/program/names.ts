/** Names in a written program, each given once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The first free one of the wished names, else the last one with a number. */
  free(...wishes: readonly string[]): string {
    const last = wishes.at(-1) ?? "";
    const found = wishes.find((wish) => !this.#taken.has(wish)) ?? this.#numbered(last);
    this.#taken.add(found);
    return found;
  }

  #numbered(name: string): string {
    for (let count = 2; ; count++) {
      // A digit at the end would run into the number.
      const numbered = /\d$/.test(name) ? `${name}_${count}` : `${name}${count}`;
      if (!this.#taken.has(numbered)) return numbered;
    }
  }
}

/** Longer names are cut: a line should hold the name and what it is. */
const longestVariable = 30;

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

/** `SLO` → `slo`, `Checkout` → `checkout`. */
export const lowerFirst = (text: string) => text.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
