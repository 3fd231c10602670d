/**
 * One text for all ways to write a pattern's alternatives: `us|eu` and `(eu|us|eu)` are `eu|us`, and `eu-[12]` is `eu-1|eu-2`.
 * Only for patterns that a text matches or not: what a group captures may depend on the order. What is not plain to read
 * stays as it is.
 * @param isOfWhole Whether only whole texts match, so that `^eu$` is `eu`.
 */
export function canonicalPattern(pattern: string, isOfWhole = false): string {
  if (unreadable.test(pattern)) return pattern;
  const read = pattern.match(/\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\(\?:|[^]/g) ?? [];
  let depth = 0;
  const tokens = read.map(escaped).filter((token, i, all) => {
    depth += token.startsWith("(") ? 1 : token === ")" ? -1 : 0;
    return !(isOfWhole && depth === 0 && isAnchor(all, i));
  });
  const found = (alternativesIn(tokens, true) ?? alternativesIn(tokens, false))?.join("|") ?? pattern;
  // An anchor in a group may begin the whole now.
  return found === pattern ? found : canonicalPattern(found, isOfWhole);
}

/** How many alternatives a part of an alternative may make of it. */
const most = 12;

/**
 * The alternatives of a pattern in order, each once; undefined if it can't be read.
 * @param isSpread Whether parts with alternatives make several of the whole; undefined if they make too many.
 */
function alternativesIn(tokens: readonly string[], isSpread: boolean): readonly string[] | undefined {
  let at = 0;
  const alternatives = (isGroup: boolean): readonly string[] | undefined => {
    const found: string[] = [];
    let current = [""];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? "";
      if (token === "[" || token === "\\") return undefined; // it has no end
      if (token === ")") break;
      if (token === "|") {
        found.push(...current);
        current = [""];
        continue;
      }
      const isOpening = token === "(" || token === "(?:";
      if (isOpening) at += 1;
      const inner = isOpening ? alternatives(true) : (charactersIn(token) ?? [token]);
      if (inner === undefined) return undefined;
      const next = tokens[at + 1] ?? "|";
      // A group that is a whole alternative groups nothing.
      const isWhole = isOpening && current.join("") === "" && ["|", ")"].includes(next);
      const isApart = isWhole || (isSpread && !/^[*+?{]/.test(next));
      const parts = isApart ? inner : [isOpening ? `${token}${inner.join("|")})` : token];
      current = [...new Set(current.flatMap((each) => parts.map((part) => each + part)))];
      if (!isWhole && current.length > most) return undefined;
    }
    if (isGroup !== at < tokens.length) return undefined;
    return [...new Set([...found, ...current])].sort();
  };
  return alternatives(false);
}

/** `1`, `2` and `3` of `[1-3]`; undefined of what is no short list of letters and digits. */
function charactersIn(token: string): readonly string[] | undefined {
  const [, listed = ""] = /^\[((?:\d-\d|[a-z]-[a-z]|[A-Z]-[A-Z]|\w)+)\]$/.exec(token) ?? [];
  const found = listed.match(/\w(?:-\w)?/g)?.map((part) => {
    const [first, last] = [part.charCodeAt(0), part.charCodeAt(part.length - 1)];
    return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => String.fromCharCode(first + i));
  });
  return found?.every(({ length }) => length > 0) === true ? found.flat() : undefined;
}

/** Whether a token is the beginning or the end of an alternative: both of `^eu$`. */
function isAnchor(tokens: readonly string[], at: number): boolean {
  const [before = "|", token, after = "|"] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  return (token === "^" && before === "|" && !/^[*+?{]/.test(after)) || (token === "$" && after === "|");
}

/** `\.` of `[.]` */
const escaped = (token: string) => token.replace(/^\[([.*+?|(){}$])\]$/, "\\$1");

/** The only text that matches a pattern: `eu.west` of `eu\.west`; undefined if there are others. */
export function onlyMatch(pattern: string): string | undefined {
  const text = pattern.replace(/\\([^\w\s])/g, "$1");
  return /[\\^$.|?*+()[\]{}]/.test(pattern.replace(/\\[^\w\s]/g, "")) ? undefined : text;
}

// Flags and named groups, quoted parts, references to a group, repeats that give nothing back; and `$name`, which a
// template may replace by anything.
const unreadable = /\(\?(?!:)|\\[Qk\d]|[*+?}]\+|\$\w|\$\{/;
