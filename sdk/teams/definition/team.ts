import type * as pulumi from "@pulumi/pulumi";
import { environmentVariable } from "../../../provider/schema/names";

/** The default export of a team's file. */
export interface Team {
  /** The prefix of every slug, so that no two teams use the same slug. Default: the name of the team's file and `-`. */
  readonly slugPrefix?: string;
  /** The environment variable with the team's API token. Default: `OBSERVABILITY_API_TOKEN_CHECKOUT` for `checkout.ts`. */
  readonly tokenVariable?: string;
  /** Declares the team's resources. A return value becomes the stack's outputs. */
  readonly declare: (() => Outputs | Promise<Outputs>) | (() => void) | (() => Promise<void>);
}

export type Outputs = Readonly<Record<string, pulumi.Input<unknown>>>;

/** A team, with its types checked: `export default defineTeam({ declare() { … } })`. */
export const defineTeam = (team: Team): Team => team;

/** A team without its declarations, to send from one process to another. */
export interface TeamFacts {
  readonly slugPrefix: string;
  readonly tokenVariable: string;
}

const tokens = environmentVariable("apiToken");

/** With the defaults filled in. */
export const factsOf = (name: string, { slugPrefix, tokenVariable }: Team): TeamFacts => ({
  slugPrefix: slugPrefix ?? `${name}-`,
  tokenVariable: tokenVariable ?? `${tokens}_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`,
});

/** The environment of one team's process: without the tokens of the others, as far as their variables are known. */
export function environmentOf(
  own: string,
  others: ReadonlySet<string>,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const isForeign = (name: string) => name !== own && (others.has(name) || name.startsWith(tokens));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isForeign(name)));
}
