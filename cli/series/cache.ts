import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { CommandError } from "../report/output";

const unusedMs = 60 * 86_400_000;

/** Answers by what was asked, in a folder. Those that nobody has read for 60 days are removed. */
export class AnswerCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  /** The file of an answer; undefined if it is not there. */
  async find(key: object): Promise<string | undefined> {
    const file = this.#fileOf(key);
    const now = new Date();
    try {
      await utimes(file, now, now);
      return file;
    } catch (error) {
      // The folder of somebody else can still be read.
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : file;
    }
  }

  async has(key: object): Promise<boolean> {
    return (await stat(this.#fileOf(key)).catch(() => undefined)) !== undefined;
  }

  /**
   * Keeps an answer. Returns its file.
   * @throws {CommandError} if it cannot be written
   */
  async write(key: object, text: string): Promise<string> {
    const file = this.#fileOf(key);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      // What a query answers may be confidential.
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(temporary, await promisify(gzip)(text, { level: 1 }), { mode: 0o600 });
      await rename(temporary, file);
      return file;
    } catch (error) {
      throw new CommandError(
        `the cache "${this.#folder}" cannot be written (${(error as Error).message}): choose another folder by --cache`,
      );
    }
  }

  /** Removes what was not read for long. */
  async sweep(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!/^[0-9a-f]{64}\.json\.gz/.test(name)) continue;
      const file = join(this.#folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found !== undefined && now - found.mtimeMs > unusedMs) await rm(file, { force: true });
    }
  }

  #fileOf(key: object): string {
    const digest = createHash("sha256").update(JSON.stringify(key)).digest("hex");
    return join(this.#folder, `${digest}.json.gz`);
  }
}

/** The user's cache folder for recorded series. */
export function defaultCache(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CACHE_HOME || (process.platform === "win32" ? env.LOCALAPPDATA : undefined);
  return join(base || join(env.HOME || homedir(), ".cache"), "pulumi-observability", "backtest");
}
