import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { StartError } from "./errors.js";

const bytes = 32;

/** The service's key: encrypts secrets at rest and signs page tokens. */
export class ServiceKey {
  readonly #secrets: Buffer;
  readonly #pages: Buffer;

  constructor(key: Buffer) {
    this.#secrets = Buffer.from(hkdfSync("sha256", key, "", "secrets", bytes));
    this.#pages = Buffer.from(hkdfSync("sha256", key, "", "page tokens", bytes));
  }

  /** Encrypts a text for one place: `open` needs the same `place`. */
  seal(text: string, place: string): string {
    const nonce = randomBytes(12); // 96 bits, AES-GCM's standard size.
    const cipher = createCipheriv("aes-256-gcm", this.#secrets, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Decrypts. Throws if the key or the place is another, or if the text was changed. */
  open(sealed: string, place: string): string {
    const all = Buffer.from(sealed, "base64");
    const cipher = createDecipheriv("aes-256-gcm", this.#secrets, all.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(place))
      .setAuthTag(all.subarray(12, 28));
    return Buffer.concat([cipher.update(all.subarray(28)), cipher.final()]).toString("utf8");
  }

  sign(text: string): Buffer {
    return createHmac("sha256", this.#pages).update(text).digest();
  }
}

export function randomKey(): ServiceKey {
  return new ServiceKey(randomBytes(bytes));
}

/** Reads a key from OBSERVABILITY_SERVICE_KEY or a key file: 32 bytes in base64. */
export function keyFrom(text: string, origin: string): ServiceKey {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== bytes) {
    throw new StartError(
      `the key in ${origin} is not ${bytes} bytes in base64; "openssl rand -base64 ${bytes}" makes one`,
    );
  }
  return new ServiceKey(key);
}

/** The key in `file`. If the file is missing and `mayMake` is true, makes a new one that only its owner may read. */
export function keyFromFile(file: string, { mayMake }: { readonly mayMake: boolean }): ServiceKey {
  try {
    return keyFrom(readFileSync(file, "utf8"), `"${file}"`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new StartError(`unable to read the key file "${file}": ${(error as Error).message}`);
    }
  }
  if (!mayMake) {
    throw new StartError(
      `the database holds secrets but its key file "${file}" is missing; put it back, or give the key in OBSERVABILITY_SERVICE_KEY`,
    );
  }
  const text = randomBytes(bytes).toString("base64");
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new StartError(`unable to write the key file "${file}": ${(error as Error).message}`);
  }
  return keyFrom(text, `"${file}"`);
}
