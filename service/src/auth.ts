import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { ApiError, StartError } from "./errors.js";
import type { Store } from "./store/store.js";

const setting = "token_sha256";

/** The token of this service: the given one, which replaces a stored one; else the stored one; else a new one. */
export class Token {
  /** The token in plain text; empty if only its hash is known from an earlier start. */
  readonly text: string;
  readonly isNew: boolean;
  readonly #hash: Buffer;

  constructor(store: Store, given: string | undefined) {
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given)) {
      throw new StartError("the token must be visible ASCII characters without spaces");
    }
    const stored = store.setting(setting);
    this.isNew = given === undefined && stored === undefined;
    this.text = given ?? (this.isNew ? `obs_${randomBytes(24).toString("base64url")}` : "");
    this.#hash = this.text === "" ? Buffer.from(stored ?? "", "base64") : hashOf(this.text);
    store.setSetting(setting, this.#hash.toString("base64"));
  }

  /** Throws if the request does not have the token. */
  authenticate(shown: string | undefined): void {
    if (shown === undefined || shown === "") throw unauthenticated("the header API-Token is missing");
    if (!timingSafeEqual(hashOf(shown), this.#hash))
      throw unauthenticated("the token in the header API-Token is not valid here");
  }
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message, { headers: { "WWW-Authenticate": "API-Token" } });
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
