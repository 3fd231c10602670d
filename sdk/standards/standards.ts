import type { Resources } from "./resources.gen";

/** What a rule knows beside the arguments. */
export interface About {
  /** The Pulumi name of the resource. */
  readonly name: string;
}

/** A rule of one kind: what is wrong, or nothing. */
export type Rule<Kind extends keyof Resources> = (resource: Resources[Kind], about: About) => string | undefined;

type RulesByKind = { readonly [Kind in keyof Resources]?: Readonly<Record<string, Rule<Kind>>> };

/** The rules that a team gives itself, by kind and name. A violation is known by the rule's name. */
export interface Standards extends RulesByKind {
  /** Labels that route nothing, such as `summary`: a review names no change of them as a risk. */
  readonly textLabels?: readonly string[];
}

/** A rule that a resource does not meet. */
export interface Violation {
  readonly rule: string;
  /** What is wrong, as the rule says it. */
  readonly message: string;
}

/** The rules that a resource does not meet. @param name The Pulumi name of the resource. */
export function violations<Kind extends keyof Resources>(
  standards: Standards,
  kind: Kind,
  resource: Resources[Kind],
  name = "",
): readonly Violation[] {
  const byKind: RulesByKind = standards;
  const rules: Readonly<Record<string, Rule<Kind>>> = byKind[kind] ?? {};
  return Object.entries(rules).flatMap(([rule, check]) => {
    const message = check(resource, { name });
    return message === undefined ? [] : [{ rule, message }];
  });
}
