import { hash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmdirSync,
  rmSync,
  type Stats,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "../../client/errors";
import { tried } from "../../wire/json";
import { isRunning, processId } from "./processId";

/**
 * Lines that the processes of one run share. The engine starts one process per provider, and a process sees only
 * its own resources. So each process appends its lines to its own file in a shared folder, and removes the file when it
 * ends.
 *
 * The folder's name can be guessed. Another user of the machine who creates it first can stop a run, with an error that
 * names TMPDIR, but can neither make a run write to another place nor add lines to it.
 */
export class SharedLines {
  readonly #readUpTo = new Map<string, number>();
  #file: { readonly name: string; readonly descriptor: number } | undefined;
  #isTidy = false;

  constructor(readonly folder: string) {}

  /** @throws {ConfigurationError} if the folder can't be written, or belongs to others. */
  append(line: string): void {
    try {
      this.#tidy();
      this.#file ??= openIn(this.folder);
      appendWhole(this.#file.descriptor, `${line}\n`);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      const { code } = error as NodeJS.ErrnoException; // file system errors carry a code
      throw unusable(this.folder, `it can't be written (${code})`, "Set TMPDIR to a writable folder");
    }
  }

  /**
   * The lines that other processes have appended since the last call.
   * @throws {ConfigurationError} if the folder belongs to others.
   */
  *fromOthers(): Generator<{ readonly line: string; readonly file: string }, void, undefined> {
    this.#tidy();
    for (const file of namesIn(this.folder)) {
      if (file === this.#file?.name) continue;
      const { lines, end } = readFrom(join(this.folder, file), this.#readUpTo.get(file) ?? 0);
      this.#readUpTo.set(file, end);
      for (const line of lines) yield { line, file };
    }
  }

  /** Whether the process that appends to a file can append more. */
  isOpen(file: string): boolean {
    return isRunning(processOf(file)) && namesIn(this.folder).includes(file);
  }

  /**
   * Removes what an earlier run has left, before the first look: an engine can get the address of one whose providers
   * were killed. Beside the file of a running process, each file is of this run: what a process has declared in it stays
   * declared if the process is killed.
   */
  #tidy(): void {
    if (this.#isTidy) return;
    const names = namesIn(this.folder);
    const isOver = !names.some((name) => isRunning(processOf(name)));
    if (isOver) for (const name of names) rmSync(join(this.folder, name), { force: true });
    this.#isTidy = true;
  }

  /** The error for a line that no process has appended. */
  damaged(): ConfigurationError {
    return unusable(this.folder, "a file in it is damaged", "Run again. If the error persists, delete the folder");
  }

  /** Removes the file of this process. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    rmSync(join(this.folder, this.#file.name), { force: true });
    this.#file = undefined;
    tried(() => rmdirSync(this.folder)); // Unless another process still has a file there.
  }
}

/**
 * The folder of one engine's run: the engine starts all its provider processes with the same address. Containers may
 * share the folder for temporary files, and each has addresses and process ids of its own.
 */
export function runFolder(engineAddress: string, namespace = processNamespace()): string {
  const run = hash("sha256", `${engineAddress}${namespace}`).slice(0, 16);
  return join(tmpdir(), `pulumi-observability-${run}`);
}

/** `pid:[4026531836]`; empty on other systems than Linux, which have only one. */
const processNamespace = () => tried(() => readlinkSync("/proc/self/ns/pid")) ?? "";

const unusable = (folder: string, why: string, remedy: string) =>
  new ConfigurationError(`can't use the folder "${folder}" that the providers share, because ${why}. ${remedy}`);

let opened = 0;

/** The id of the process that appends to a file. */
const processOf = (file: string) => file.split("-")[0] ?? "";

function openIn(folder: string) {
  try {
    // Not recursive: Node.js would then take a read-only file system for a missing folder.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // file system errors carry a code
  }
  const name = `${processId}-${(opened += 1)}`;
  rmSync(join(folder, name), { force: true }); // Of a process that had the same id, where the system does not tell its start.
  return { name, descriptor: openSync(join(folder, name), "ax", 0o600) };
}

/** Appends all of a line or, if the disk is full, nothing: the next line would continue a part. */
function appendWhole(descriptor: number, line: string): void {
  const { size } = fstatSync(descriptor);
  try {
    appendFileSync(descriptor, line);
  } catch (error) {
    tried(() => ftruncateSync(descriptor, size));
    throw error;
  }
}

/** @throws {ConfigurationError} if others may read or write in the folder. */
function namesIn(folder: string): readonly string[] {
  let why: string | undefined;
  try {
    why = distrust(lstatSync(folder));
    if (why === undefined) return readdirSync(folder);
  } catch {
    return []; // No process has claimed anything.
  }
  throw unusable(folder, why, "Delete it, or set TMPDIR to a folder of your own");
}

/** Why others may read or write in a folder; undefined if they may not. */
function distrust(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "it is a symbolic link";
  if (!stats.isDirectory()) return "it is not a folder";
  if (!isOwn(stats)) return "it belongs to another user";
  return isPosix && (stats.mode & 0o077) !== 0 ? "other users can read or write in it" : undefined;
}

/** Windows has neither user ids nor such modes: there, each user has a folder for temporary files. */
const isPosix = process.geteuid !== undefined;

const isOwn = ({ uid }: Stats) => !isPosix || uid === process.geteuid?.();

/** The complete lines of a file from a byte position on, and the position after them. */
function readFrom(file: string, start: number): { readonly lines: readonly string[]; readonly end: number } {
  let descriptor: number;
  try {
    // No such flags on Windows.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return { lines: [], end: start }; // Its process has ended, or it is a link.
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOwn(stats)) return { lines: [], end: start };
    const bytes = Buffer.alloc(Math.max(0, stats.size - start));
    const length = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, start);
    const whole = bytes.subarray(0, bytes.subarray(0, length).lastIndexOf("\n") + 1);
    return { lines: whole.toString().split("\n").filter(Boolean), end: start + whole.length };
  } finally {
    closeSync(descriptor);
  }
}
