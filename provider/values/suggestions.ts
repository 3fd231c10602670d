import { nearest } from "./nearest";

/** A third of the letters, at most 2: none in words like "GT". */
const fewLetters = ({ length }: string) => Math.min(2, Math.floor(length / 3));

/** What other languages call the values of the interface, in small letters; the first that is known is meant. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  ">": ["GT", "GREATER_THAN"],
  ">=": ["GEQ", "GREATER_THAN_OR_EQUAL"],
  ge: ["GEQ", "GREATER_THAN_OR_EQUAL"],
  gte: ["GEQ", "GREATER_THAN_OR_EQUAL"],
  "<": ["LT", "LESS_THAN"],
  "<=": ["LEQ", "LESS_THAN_OR_EQUAL"],
  le: ["LEQ", "LESS_THAN_OR_EQUAL"],
  lte: ["LEQ", "LESS_THAN_OR_EQUAL"],
  "=": ["EQ", "EQUAL", "EXACT"],
  "==": ["EQ", "EQUAL", "EXACT"],
  "!=": ["NEQ", "NOT_EQUAL", "EXACT_NEGATION"],
  ne: ["NEQ", "NOT_EQUAL"],
  "=~": ["REGEX"],
  "!~": ["REGEX_NEGATION"],
  crit: ["critical"],
  warning: ["warn"],
};

/** The known value that one which is none probably means. */
export function meantBy(value: string, known: readonly string[]): string | undefined {
  const names = Object.hasOwn(otherNames, value.toLowerCase()) ? otherNames[value.toLowerCase()] : undefined;
  return names?.find((name) => known.includes(name)) ?? nearest(value, known, fewLetters);
}
