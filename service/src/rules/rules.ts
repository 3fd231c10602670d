import type { Problem } from "../errors.js";
import type { JsonObject } from "../json.js";

/** A reference inside a resource: the path of the slug, and the object that it names. */
export interface Mention {
  readonly path: string;
  readonly kind: string;
  readonly slug: string;
}

/** The rules of one kind beyond the document's types. Every rule treats absent and zero alike. */
export interface KindRules {
  /** Returns the resource with the service's defaults filled in. */
  readonly fill?: (resource: JsonObject) => JsonObject;
  readonly check?: (resource: JsonObject) => readonly Problem[];
  /** The objects that must exist, and that cannot be deleted while this one names them. */
  readonly mentions?: (resource: JsonObject) => readonly Mention[];
}

interface TypedRules<T> {
  readonly fill?: (resource: T) => T;
  readonly check?: (resource: T) => readonly Problem[];
  readonly mentions?: (resource: T) => readonly Mention[];
}

/** Rules typed by the fields that they read. They run only on resources that the document's schema has accepted. */
export function rulesFor<T>(rules: TypedRules<T>): KindRules {
  // The cast holds: the schema check runs before the rules.
  return rules as unknown as KindRules;
}

/** Collects the problems that a `check` finds. */
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

  /** Adds "is required" if the value is absent or zero. */
  require(path: string, value: unknown): void {
    if (!value) this.add(path, "is required");
  }
}

/** The alternatives in a message: `a, b or c`. */
export function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
