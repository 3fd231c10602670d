import type * as types from "../../sdk/types.gen";
import { isExistence } from "../meaning/conditions";
import { secsText, valueText } from "./values";

/** What the program says of a condition whose times are rounded to the interval. */
export interface WrittenCondition {
  readonly text?: string;
  readonly intervalSecs?: number;
}

/** `> 0.05 for 2 min` */
export const conditionText = (condition: types.Condition & WrittenCondition) => {
  const { op = "", value = 0, sustainSecs, resolveSustainSecs, text } = condition;
  if (text !== undefined) return text;
  const comparison = (isExistence(condition) ? op : `${signs[op] ?? (op && valueText(op))} ${valueText(value)}`).trim();
  const sustain = sustainSecs ? ` for ${secsText(sustainSecs)}` : "";
  return `${comparison}${sustain}${resolveSustainSecs ? ` (resolves after ${secsText(resolveSustainSecs)})` : ""}`;
};

const signs: Readonly<Record<string, string>> = { GT: ">", GEQ: ">=", LT: "<", LEQ: "<=", EQ: "=", NEQ: "!=" };
