import { inTime } from "../../provider/base/inTime";
import type { Resources } from "./resources.gen";

/** The context that a rule gets in addition to the arguments. */
export interface About {
  /** The Pulumi name of the resource. */
  readonly name: string;
  /** With `--routes`: who is notified by the alerts of each severity, such as `{ critical: "search-pd" }`. */
  readonly notified?: Readonly<Record<string, string>> | undefined;
}

/** The problem, or no problem: nothing, `null`, `""` or `true`. */
export type Answer = string | true | null | undefined;

/** A rule of one kind. It may take 10 s to answer. */
export type Rule<Kind extends keyof Resources> = (
  resource: Resources[Kind],
  about: About,
) => Answer | PromiseLike<Answer>;

type RulesByKind = { readonly [Kind in keyof Resources]?: Readonly<Record<string, Rule<Kind>>> };

/** A team's own rules, by kind and name. A violation is identified by the rule's name. */
export interface Standards extends RulesByKind {
  /** Labels that route nothing, such as `summary`: a review names no change of them as a risk. */
  readonly textLabels?: readonly string[];
}

/** A rule that a resource does not meet. */
export interface Violation {
  readonly rule: string;
  /** The problem, in the rule's words. */
  readonly message: string;
  /** Whether the rule is wrong, and not the resource: it threw, or gave no {@link Answer}. The message contains the reason. */
  readonly isMistake?: true;
}

/**
 * The rules that a resource does not meet, in their order. No rule stops another one.
 * @param name The Pulumi name of the resource.
 * @param notified What a review with `--routes` knows.
 */
export async function violations<Kind extends keyof Resources>(
  standards: Standards,
  kind: Kind,
  resource: Resources[Kind],
  name = "",
  notified?: About["notified"],
): Promise<readonly Violation[]> {
  const byKind: RulesByKind = standards;
  const rules: Readonly<Record<string, Rule<Kind>>> = byKind[kind] ?? {};
  const found = await Promise.all(
    Object.entries(rules).map(async ([rule, check]): Promise<readonly Violation[]> => {
      try {
        const answer: unknown = await inTime(
          async () => check(resource, notified === undefined ? { name } : { name, notified }),
          longestSecs,
          `no answer within ${longestSecs} s`,
        );
        if (answer === undefined || answer === null || answer === "" || answer === true) return [];
        if (typeof answer === "string") return [{ rule, message: answer }];
        return [{ rule, message: `returned ${wordsFor(answer)} instead of a string or nothing`, isMistake: true }];
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return [{ rule, message: `failed: ${reason}`, isMistake: true }];
      }
    }),
  );
  return found.flat();
}

/** How long a rule may take: one that never answers would end the process without a message. */
export const longestSecs = 10;

/** `false`, `5`, `a list`, `an object`. */
function wordsFor(answer: unknown): string {
  if (typeof answer === "object") return Array.isArray(answer) ? "a list" : "an object";
  return typeof answer === "boolean" || typeof answer === "number" ? String(answer) : `a ${typeof answer}`;
}
