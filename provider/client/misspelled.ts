import { environmentVariable } from "../schema/names";
import { settings } from "../schema/settings";
import { nearest } from "../base/nearest";

const known = Object.keys(settings.fields);

/** A warning for each name that is almost a setting's. */
export const misspelledSettings = (place: string, names: readonly string[]) =>
  names.flatMap((name) => suggestion(place + name, nearest(name, known)));

/** The letters in which another prefix may differ: a word of its own differs in more. */
const mostInPrefix = () => 2;

/** A warning for each environment variable that is almost a setting's. */
export function misspelledVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const prefix = environmentVariable("");
  const variables = known.map(environmentVariable);
  return Object.keys(environment).flatMap((name) => {
    // Names that go on after a setting's are a team's own, such as OBSERVABILITY_API_TOKEN_QA.
    if (!name.startsWith(prefix)) return suggestion(name, nearest(name, variables, mostInPrefix));
    if (variables.some((each) => `${name}_`.startsWith(`${each}_`))) return [];
    const near = nearest(name.slice(prefix.length), known);
    return suggestion(name, near && environmentVariable(near));
  });
}

const suggestion = (name: string, intended: string | undefined): readonly string[] =>
  intended === undefined ? [] : [`${name} is not a known setting. Did you mean "${intended}"?`];
