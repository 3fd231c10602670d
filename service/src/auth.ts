import { createHash, randomBytes } from "node:crypto";
import { ApiError, StartError } from "./errors.js";
import type { Store } from "./store/store.js";

const setting = "token_sha256";

export interface Token {
  /** In clear; empty where only its hash is known, from an earlier start. */
  readonly text: string;
  readonly isNew: boolean;
  readonly sha256: string;
}

/**
 * The token of this service: the given one, which from now on replaces any other; else the one stored
 * earlier; else a new one. Only its hash is kept: it is random, so a fast hash gives nothing away.
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

/** Throws unless the request shows the token. */
export function authenticate(shown: string | undefined, token: Token): void {
  if (shown === undefined || shown === "") throw unauthenticated("the header API-Token is missing");
  // Hashes are compared: how long that takes tells nothing about the token.
  if (hash(shown) !== token.sha256) throw unauthenticated("the token in the header API-Token is not valid here");
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message, { headers: { "WWW-Authenticate": "API-Token" } });
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
