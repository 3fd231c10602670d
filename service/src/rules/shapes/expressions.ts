import { RE2JS } from "re2js";

/** What is wrong with a regular expression. Its language is RE2, as in the query languages of metrics and logs. */
export function expressionProblem(pattern = ""): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `is no regular expression: ${(error as Error).message.replace(/^error parsing regexp: /, "").slice(0, 200)}`;
  }
}
