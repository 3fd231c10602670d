const words = (list: string): readonly string[] => list.split(/\s+/);

const unknownText = "unknown to the PromQL that this version reads";

/** Functions under the names that newer versions of Prometheus have for them. */
const renamed: Readonly<Record<string, string>> = {
  holt_winters: "double_exponential_smoothing since Prometheus 3.0",
};

// After these, no function follows.
const takesLabels = words("by without on ignoring group_left group_right");
const keywords = [
  ...takesLabels,
  ...words("bool offset atan2 and or unless smoothed anchored fill fill_left fill_right inf nan"),
];

// A comma is missing between labels or matchers.
const inLabels = /["'`]\s*$|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*$/i;

/**
 * What another version of PromQL may have where the parser stops: a function, a word, an operator. Undefined if none has it.
 * @param isFunction Whether the parser knows a function.
 */
export function newerAt(text: string, position: number, isFunction: (name: string) => boolean): string | undefined {
  const [start = ""] = /[\w:]*$/.exec(text.slice(0, position)) ?? [];
  const at = position - start.length;
  const [, word = "", bracket = ""] = /^([a-z_]\w*)\s*(\(?)/i.exec(text.slice(at)) ?? [];
  const [last = ""] = /[\w)\]}"'`]+(?=\s*$)/.exec(text.slice(0, at)) ?? [];
  const isKnown = word === "" || keywords.includes(word.toLowerCase()) || isFunction(word);
  const isBehind = (all: readonly string[]) => all.includes(last.toLowerCase());
  if (!isKnown && bracket !== "" && !isBehind(takesLabels)) {
    const now = Object.hasOwn(renamed, word) ? `: it is ${renamed[word]}` : "";
    return `the function ${word} is ${unknownText}${now}`;
  }
  if (!isKnown && last !== "" && !isBehind(keywords) && !inLabels.test(text.slice(0, at)))
    return `${JSON.stringify(word)} is ${unknownText}`;
  // Prometheus has these names where the parser has none.
  const [name = ""] = /^(?:offset\b|[a-z_]\w*:[\w:]+)/i.exec(text.slice(at)) ?? [];
  if (name !== "" && last === "") return `the name ${name} is ${unknownText}`;
  const [left = ""] = /[<>=!~+\-*/%^&|?]*$/.exec(text.slice(0, position)) ?? [];
  const [right = ""] = /^[<>=!~+\-*/%^&|?]*/.exec(text.slice(position)) ?? [];
  // A sign belongs to what follows.
  const operator = `${left}${right}`.replace(/[+-]+$/, "");
  const isOne = operator.length < 2 || ["==", "!=", "<=", ">=", "</", ">/", "=~", "!~"].includes(operator);
  return isOne ? undefined : `the operator ${operator} is ${unknownText}`;
}
