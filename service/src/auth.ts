import { createHash, randomBytes } from "node:crypto";
import { ApiError, StartError } from "./errors.js";
import type { Store } from "./store/store.js";

const setting = "token_sha256";

export interface Token {
  /** The token in clear; empty if only its hash is known from an earlier start. */
  readonly text: string;
  readonly isNew: boolean;
  readonly sha256: string;
}

/**
 * The token of this service: the given one, which replaces a stored one; else the stored one; else a new one. The store
 * keeps only its hash. A fast hash is enough, because the token is random.
 */
export async function tokenOf(store: Store, given: string | undefined): Promise<Token> {
  if (given !== undefined && !/^[\x21-\x7e]+$/.test(given)) {
    throw new StartError("the token must be visible ASCII characters without spaces");
  }
  const stored = await store.setting(setting);
  if (given === undefined && stored !== undefined) return { text: "", isNew: false, sha256: stored };
  const text = given ?? `obs_${randomBytes(24).toString("base64url")}`;
  const sha256 = hash(text);
  if (sha256 !== stored) await store.setSetting(setting, sha256);
  return { text, isNew: given === undefined, sha256 };
}

/** Throws if the request does not have the token. */
export function authenticate(shown: string | undefined, token: Token): void {
  if (shown === undefined || shown === "") throw unauthenticated("the header API-Token is missing");
  // Compares hashes: their comparison time reveals nothing about the token.
  if (hash(shown) !== token.sha256) throw unauthenticated("the token in the header API-Token is not valid here");
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message, { headers: { "WWW-Authenticate": "API-Token" } });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
