const known = new Set<string>();

/**
 * A secret from the environment, where a CI job's secret store puts it. From then on no message shows it.
 * @throws where the variable is not set.
 */
export function secretFrom(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new Error(`set the environment variable ${variable}`);
  known.add(value);
  return value;
}

/** A text without the secrets read so far. */
export function strike(text: string): string {
  return [...known].reduce((struck, value) => struck.replaceAll(value, "[secret]"), text);
}

const tokens = "OBSERVABILITY_API_TOKEN_";

/** Where a team's API token is: `OBSERVABILITY_API_TOKEN_CHECKOUT` for the team checkout. */
export function tokenVariable(team: string): string {
  return tokens + team.toUpperCase().replaceAll("-", "_");
}

/** The environment for one team's process: without the tokens of the others. */
export function environmentOf(team: string): NodeJS.ProcessEnv {
  const own = tokenVariable(team);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name === own || !name.startsWith(tokens)));
}
