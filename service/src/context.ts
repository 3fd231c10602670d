import { ApiError } from "./errors.js";
import { quote } from "./json.js";
import type { ServiceKey } from "./key.js";
import type { Kind } from "./operations.js";
import type { Store } from "./store/store.js";

/** The store, key and options that every operation uses. */
export interface Context {
  readonly store: Store;
  readonly key: ServiceKey;
  /** Whether answers contain secrets in plain text. */
  readonly showSecrets: boolean;
  /** The kinds of the API spec. */
  readonly kinds: readonly Kind[];
}

/** The slug under which a singleton is stored. No other object can have it. */
export const singletonSlug = "";

export function nameOf(kind: Pick<Kind, "title" | "isSingleton">, slug: string): string {
  return kind.isSingleton ? kind.title : `${kind.title} ${quote(slug)}`;
}

export function noSuchObject(kind: Kind, slug: string, remedy = ""): ApiError {
  return new ApiError("noSuchObject", `there is no ${nameOf(kind, slug)}${remedy}`);
}
