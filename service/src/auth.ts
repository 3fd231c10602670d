import { createHash, randomBytes, scrypt, scryptSync } from "node:crypto";
import { promisify } from "node:util";
import { ApiError, StartError } from "./errors.js";
import type { Store } from "./store/store.js";

export const tokenSetting = "token";
const bytes = 32;

/** The token of this service: the given one, which replaces a stored one; else the stored one; else a new one. */
export class Token {
  /** The token in clear; empty if only its hash is known from an earlier start. */
  readonly text: string;
  readonly isNew: boolean;
  readonly #stored: string;
  /** The fast hash of the token, once it is known. */
  #known: string | undefined;

  constructor(store: Store, given: string | undefined) {
    if (given !== undefined && !/^[\x21-\x7e]+$/.test(given)) {
      throw new StartError("the token must be visible ASCII characters without spaces");
    }
    this.#stored = store.setting(tokenSetting) ?? "";
    this.isNew = given === undefined && this.#stored === "";
    this.text = given ?? (this.isNew ? `obs_${randomBytes(24).toString("base64url")}` : "");
    if (this.text === "") return;
    this.#known = fastHash(this.text);
    if (!store.isInMemory) store.setSetting(tokenSetting, saltedHash(this.#known));
  }

  /** Throws if the request does not have the token. */
  async authenticate(shown: string | undefined): Promise<void> {
    if (shown === undefined || shown === "") throw unauthenticated("the header API-Token is missing");
    const hash = fastHash(shown);
    // The salted hash is slow on purpose. Once the right token has come, every other one is wrong.
    if (this.#known === undefined && (await isHashOf(this.#stored, hash))) this.#known = hash;
    // Compares hashes: their comparison time reveals nothing about the token.
    if (hash !== this.#known) throw unauthenticated("the token in the header API-Token is not valid here");
  }
}

/** The form in which the token's fast hash is stored: it resists guessing, even if somebody chose a simple token. */
export function saltedHash(hash: string): string {
  const salt = randomBytes(16);
  return [salt, scryptSync(hash, salt, bytes)].map((each) => each.toString("base64")).join(" ");
}

async function isHashOf(stored: string, hash: string): Promise<boolean> {
  const [salt = "", expected] = stored.split(" ");
  const found = await promisify<string, Buffer, number, Buffer>(scrypt)(hash, Buffer.from(salt, "base64"), bytes);
  return found.toString("base64") === expected;
}

function unauthenticated(message: string): ApiError {
  return new ApiError("unauthenticated", message, { headers: { "WWW-Authenticate": "API-Token" } });
}

function fastHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
