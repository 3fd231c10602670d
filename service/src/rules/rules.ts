import type { Problem } from "../errors.js";
import type { JsonObject } from "../json.js";

/** A slug found inside a resource: where it stands and what it names. */
export interface Mention {
  readonly path: string;
  readonly kind: string;
  readonly slug: string;
}

/** What one kind asks beyond the types that the document tells. Absent and zero mean the same to every rule. */
export interface KindRules {
  /** The resource with what the service fills in. */
  readonly fill?: (resource: JsonObject) => JsonObject;
  readonly check?: (resource: JsonObject) => readonly Problem[];
  /** The objects that must exist, and cannot be deleted as long as this one names them. */
  readonly mentions?: (resource: JsonObject) => readonly Mention[];
}

interface TypedRules<T> {
  readonly fill?: (resource: T) => T;
  readonly check?: (resource: T) => readonly Problem[];
  readonly mentions?: (resource: T) => readonly Mention[];
}

/** Rules written against the fields they read; they run only on what the document's schema has accepted. */
export function rulesFor<T>(rules: TypedRules<T>): KindRules {
  // The schema check stands between an untyped body and these.
  return rules as unknown as KindRules;
}

/** Collects problems. */
export class Problems {
  readonly #found: Problem[] = [];

  get found(): readonly Problem[] {
    return this.#found;
  }

  add(path: string, message: string): void {
    this.#found.push({ path, message });
  }

  addAll(problems: readonly Problem[]): void {
    this.#found.push(...problems);
  }

  /** Zero is as good as absent. */
  require(path: string, value: unknown): void {
    if (!value) this.add(path, "is required");
  }
}

/** The names in a list of alternatives: `a, b or c`. */
export function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
