import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "../client/errors";
import { isObject } from "../wire/json";

/** What `check` knows about one resource of the program and the object that it declares. */
export interface Claim {
  /** Kind and slug of the object that the resource declares. */
  readonly object: string;
  /** When that object was created, once state or an answer of the service has told. */
  readonly createdAt?: string;
  /** The base URL of the resource's provider. One service may have several. */
  readonly address: string;
  /** A digest of its token: with another one, the service may answer for another tenant. */
  readonly token: string;
  /** An id that is unique to the resource. */
  readonly instance: string;
  /** The Pulumi name of the resource. */
  readonly name: string;
  /** Its places in the program, as at the end of its URN: its own, and those that its aliases name. */
  readonly places: readonly string[];
  /** The object that state records for the resource; absent if the engine gave this `check` no old inputs. */
  readonly recorded?: string;
  /** Whether this operation writes the object, and creates it if it is missing. */
  readonly isWritten: boolean;
  /** How far the create has come that the last `check` was for; absent if it was for a recorded object. */
  readonly creation?: "awaited" | "begun" | "done";
  /** Whether the engine has compared the resource with its state, and so knows `diff`'s answers. */
  readonly isCompared?: boolean;
  /** Whether `check` leaves it to the class to prove address and token. */
  readonly classWillProve?: boolean;
  /** Whether `check` leaves the validation to the class, which announced it. */
  readonly classWillValidate?: boolean;
  /** Why the resource cannot be as declared, for its class to report. */
  readonly failures?: readonly string[];
}

/**
 * The claims of all resources in one operation of the engine. The engine starts one process per provider, and a process
 * sees only its own resources. So each process appends its claims to its own file in a shared folder, and removes the
 * file when it ends.
 *
 * The folder's name can be guessed. Another user of the machine who creates it first can stop a run, with an error that
 * names TMPDIR, but can neither make a run write to another place nor add claims to it.
 */
export class Claims {
  readonly #claims = new Map<string, Map<string, Claim>>();
  readonly #objectOf = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  readonly #readUpTo = new Map<string, number>();
  #file: { readonly name: string; readonly descriptor: number } | undefined;

  /** @param folder The folder that the processes share. */
  constructor(readonly folder: string) {}

  /** The claims of one engine's operation: it starts all its provider processes with the same address. */
  static of(engineAddress: string): Claims {
    const digest = createHash("sha256").update(engineAddress).digest("hex").slice(0, 16);
    return new Claims(join(tmpdir(), `pulumi-observability-${digest}`));
  }

  /**
   * Replaces what the resource claimed before.
   * @throws {ConfigurationError} if the folder can't be written, or belongs to others.
   */
  claim(claim: Claim): void {
    this.#keep(claim);
    try {
      this.#file ??= openIn(this.folder);
      writeSync(this.#file.descriptor, `${JSON.stringify(claim)}\n`);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      const { code } = error as NodeJS.ErrnoException; // file system errors carry a code
      throw unusable(this.folder, `it can't be written (${code})`, "set TMPDIR to a folder that can be written");
    }
  }

  /**
   * The claims on an object, one per resource that declares it.
   * @throws {ConfigurationError} if the folder belongs to others, or a file in it is damaged. So do the other look-ups.
   */
  claimsOf(object: string): readonly Claim[] {
    this.#readOthers();
    return [...(this.#claims.get(object)?.values() ?? [])];
  }

  /** The latest claim of a resource. */
  claimBy(instance: string): Claim | undefined {
    this.#readOthers();
    return this.#claims.get(this.#objectOf.get(instance) ?? "")?.get(instance);
  }

  /** The object that state records for a resource, if one of its checks was given it. */
  recordedOf(instance: string): string | undefined {
    return this.#recorded.get(instance);
  }

  /** The claim of the resource for which state records an object. */
  ownerOf(object: string): Claim | undefined {
    this.#readOthers();
    const owner = [...this.#recorded].find(([, recorded]) => recorded === object)?.[0];
    return owner === undefined ? undefined : this.claimBy(owner);
  }

  /**
   * Whether the object is deleted so that the claiming resource can create it again.
   * @param owner The place of the resource that wrote the object last; undefined if that is not known.
   */
  isReplacedBy({ object, instance, places, creation }: Claim, owner: string | undefined): boolean {
    if (creation !== "awaited") return false;
    const owners = [...this.#recorded].filter(([, recorded]) => recorded === object).map(([owner]) => owner);
    // With "--replace" the engine gives no recorded inputs, so the place decides. A new resource looks the same, but may
    // never be created: one that it depends on can fail.
    return owners.length === 0 ? owner !== undefined && places.includes(owner) : owners.includes(instance);
  }

  /** Removes the file of this process. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file.descriptor);
    rmSync(join(this.folder, this.#file.name), { force: true });
    this.#file = undefined;
    try {
      rmdirSync(this.folder);
    } catch {
      // Another process still has a file there.
    }
  }

  #keep(claim: Claim): void {
    const { object, instance, recorded } = claim;
    const before = this.#objectOf.get(instance);
    if (before !== undefined) this.#claims.get(before)?.delete(instance);
    this.#objectOf.set(instance, object);
    this.#claims.set(object, (this.#claims.get(object) ?? new Map<string, Claim>()).set(instance, claim));
    if (recorded !== undefined) this.#recorded.set(instance, recorded);
  }

  #readOthers(): void {
    for (const name of namesIn(this.folder)) {
      if (name === this.#file?.name) continue;
      const { lines, end } = readFrom(join(this.folder, name), this.#readUpTo.get(name) ?? 0);
      this.#readUpTo.set(name, end);
      for (const line of lines) this.#keep(claimIn(line, this.folder));
    }
  }
}

/** @throws {ConfigurationError} if the line is not one that `claim` has written. */
function claimIn(line: string, folder: string): Claim {
  try {
    const claim: unknown = JSON.parse(line);
    const isClaim = isObject(claim) && ["object", "instance", "address"].every((key) => typeof claim[key] === "string");
    if (isClaim) return claim as unknown as Claim; // as `claim` wrote it
  } catch {
    // Not even JSON.
  }
  throw unusable(folder, "a file in it is damaged", "run again; if the error stays, delete the folder");
}

const unusable = (folder: string, why: string, wayOut: string) =>
  new ConfigurationError(
    `can't use the folder "${folder}", in which the providers of a run share what the program declares: ${why}: ${wayOut}`,
  );

let opened = 0;

function openIn(folder: string) {
  const isMissing = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  if (isMissing) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${process.pid}-${(opened += 1)}`;
  // Removes files of killed processes: an engine sometimes gets the address of an earlier one, and a process its id.
  for (const each of namesIn(folder)) {
    if (each === name || !isRunning(parseInt(each, 10))) rmSync(join(folder, each), { force: true });
  }
  return { name, descriptor: openSync(join(folder, name), "wx", 0o600) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's process
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
  throw unusable(folder, why, "delete it, or set TMPDIR to a folder of your own");
}

/** Why others may read or write in a folder; undefined if they may not. */
function distrust(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "it is a link";
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
