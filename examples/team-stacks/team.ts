import { readdirSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";

/** What a file in `teams/` exports under the name `team`. */
export interface Team {
  /** Put before every slug, so that no two teams claim the same one. */
  readonly slugPrefix: string;
  /** Declares what the team watches; what it returns becomes the stack's outputs. */
  readonly declare: () => Outputs | Promise<Outputs>;
}

type Outputs = Readonly<Record<string, pulumi.Input<unknown>>>;

/** This folder, also seen from the compiled files. */
export const root = join(__dirname, "..");

/** The teams' names: those of the source files, because the compiled file of a team that has left may still be there. */
export function teamNames(): string[] {
  return readdirSync(join(root, "teams"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}

/** @throws whatever the team's file throws, and where it exports no team. */
export function loadTeam(name: string): Team {
  const { team }: { readonly team?: Partial<Team> } = require(join(__dirname, "teams", name));
  const { slugPrefix, declare } = team ?? {};
  if (typeof slugPrefix !== "string" || typeof declare !== "function") {
    throw new Error(`teams/${name}.ts must export a team with slugPrefix and declare`);
  }
  return { slugPrefix, declare };
}
