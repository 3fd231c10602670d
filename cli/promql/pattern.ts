/**
 * One text for all orders of a pattern's alternatives: `us|eu` and `(eu|us|eu)` are `eu|us`. Only for patterns that a text
 * matches or not: what a group captures may depend on the order. What is not plain to read stays as it is.
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
  let at = 0;
  const alternatives = (isGroup: boolean): readonly string[] | undefined => {
    const found: string[] = [];
    let current = "";
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? "";
      if (token === "[" || token === "\\") return undefined; // it has no end
      if (token === ")") break;
      if (token === "|") {
        found.push(current);
        current = "";
      } else if (token === "(" || token === "(?:") {
        at += 1;
        const inner = alternatives(true);
        if (inner === undefined) return undefined;
        // A group that is a whole alternative groups nothing.
        if (current === "" && ["|", ")", undefined].includes(tokens[at + 1])) {
          found.push(...inner.slice(1));
          current = inner[0] ?? "";
        } else current += `${token}${inner.join("|")})`;
      } else current += token;
    }
    if (isGroup !== at < tokens.length) return undefined;
    return [...new Set([...found, current])].sort();
  };
  return alternatives(false)?.join("|") ?? pattern;
}

/** Whether RE2 surely can't read a pattern. What it writes otherwise than JavaScript is not judged. */
export function isBroken(pattern: string): boolean {
  if (/\(\?[^:=!<]|\(\?<\w|\[\^?\]|\[\[|\\Q|[$^][*+?{]/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    // Only JavaScript looks around.
    return /(?<!\\)\(\?<?[=!]/.test(pattern.replace(/\[(?:\\.|[^\]])*\]/g, ""));
  } catch {
    return true;
  }
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
