import type { KindName, Mark, Trial } from "./trials/trial.js";

/** A trial with the Pulumi name of its resource. */
export interface NamedTrial extends Trial {
  readonly name: string;
}

export const withNames = (trials: readonly Trial[]): readonly NamedTrial[] =>
  trials.map((trial, i) => ({ ...trial, name: `${trial.kind.toLowerCase()}-${i + 1}` }));

/** Of the log allocation there is one per service. */
export const needsOwnService = ({ kind }: { readonly kind: KindName }) => kind === "LogAllocationConfig";

export const newName = (name: string) => `${name}-renamed`;

export type Stage = "before" | "after";

/** The file that the program declares, in one of its two states. */
export function declarations(trials: readonly NamedTrial[], stage: Stage, urls: ReadonlyMap<string, string>): string {
  const resources = trials.flatMap(({ kind, name, optionsBefore, optionsAfter, ...trial }) => {
    const args = trial[stage];
    if (args === undefined) return [];
    const { isRenamed, get, ...options } = (stage === "before" ? optionsBefore : optionsAfter) ?? {};
    return [
      {
        kind,
        name: isRenamed === true ? newName(name) : name,
        args,
        ...(get === true && { id: args.slug }),
        options: { ...options, ...(isRenamed === true && { aliases: [{ name }] }) },
        ...(urls.has(name) && { baseUrl: urls.get(name) }),
      },
    ];
  });
  return JSON.stringify({ isAfter: stage === "after", resources });
}

const resolvers: Readonly<Record<Mark, string>> = {
  $secret: "pulumi.secret",
  $later: "later",
  $known: "pulumi.output",
};

/** Reads its resources from `resources.json`, because there are hundreds. */
export const program = `"use strict";
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const { isAfter, resources } = require("./resources.json");

const configuration = { type: "LOGS", logDataset: {} };
const origin = isAfter ? new obs.Dataset("origin", { configuration }).createdAt : undefined;
const later = (value) => pulumi.all([origin, value]).apply(([, known]) => known);
const marks = { ${Object.entries(resolvers)
  .map(([mark, resolver]) => `${mark}: ${resolver}`)
  .join(", ")} };

function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== "object" || value === null) return value;
  for (const mark of Object.keys(marks)) if (mark in value) return marks[mark](read(value[mark]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]));
}

for (const { kind, name, args, id, options, baseUrl } of resources) {
  const provider = baseUrl === undefined ? {} : { provider: new obs.Provider("at-" + name, { baseUrl }) };
  if (id !== undefined) obs[kind].get(name, id);
  else new obs[kind](name, read(args), { ...options, ...provider });
}
`;
