import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { StartError } from "./errors.js";

const bytes = 32;

/** Encrypts secrets at rest, by AES-256-GCM. */
export class ServiceKey {
  constructor(private readonly key: Buffer) {}

  seal(text: string): string {
    const nonce = randomBytes(12); // 96 bits, AES-GCM's standard size.
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Throws if the key differs, or if the text was changed. */
  open(sealed: string): string {
    const all = Buffer.from(sealed, "base64");
    const cipher = createDecipheriv("aes-256-gcm", this.key, all.subarray(0, 12), { authTagLength: 16 });
    cipher.setAuthTag(all.subarray(12, 28));
    return Buffer.concat([cipher.update(all.subarray(28)), cipher.final()]).toString("utf8");
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
      `the key in ${origin} is not ${bytes} bytes in base64; create one with "openssl rand -base64 ${bytes}"`,
    );
  }
  return new ServiceKey(key);
}

/** The key in `file`. If the file is missing and `mayMake` is true, creates a new one that only its owner can read. */
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
      `the database contains secrets, but its key file "${file}" is missing; restore it, or set the key in OBSERVABILITY_SERVICE_KEY`,
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
