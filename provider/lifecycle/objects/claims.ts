import type { Path } from "../../schema/walk";
import { isObject, parseJson } from "../../wire/json";
import { runFolder, SharedLines } from "./sharedLines";

/** Identifies an object within one service: its kind and slug. */
export const objectKey = (kindName: string, slug: string) => `${kindName}/${slug}`;

/** The slug in such a key. */
export const slugIn = (key: string) => key.slice(key.indexOf("/") + 1);

/** A resource of the program and the object that it declares, as far as `check` knows them. */
export interface Claim {
  /** The object that the resource declares. */
  readonly objectKey: string;
  /** When that object was created, once it is known from state or from an answer of the service. */
  readonly createdAt?: string | undefined;
  /** The base URL of the resource's provider. One service may have several. */
  readonly serviceUrl: string;
  /** A hash of its token: with another one, the service may answer for another tenant. */
  readonly token: string;
  /** An id that is unique to the resource. */
  readonly instance: string;
  /** The qualified names at the end of URNs: first its own, then those that its aliases name. */
  readonly qualifiedNames: readonly string[];
  /** The object that state records for the resource, once a `check` was given old inputs. */
  readonly recordedKey?: string | undefined;
  /**
   * What this run does with the object, and how far it has come: it leaves or updates a recorded one. One that is created
   * is awaited from its check on, begun, and done.
   */
  readonly step: "unchanged" | "updated" | "awaited" | "begun" | "done";
  /** The paths of the object's secrets in addition to the schema's. Functions and `.get` mark what they show there. */
  readonly marks?: readonly Path[] | undefined;
}

/** The claims of all resources in one run of the engine: the latest claim of each. */
export class Claims {
  /** By the resource's instance. */
  readonly #latest = new Map<string, Claim>();
  /** The instances that have claimed an object, by the object. */
  readonly #instances = new Map<string, Set<string>>();
  readonly #lines: SharedLines;

  /** @param folder The folder that the run's processes share. */
  constructor(readonly folder: string) {
    this.#lines = new SharedLines(folder);
  }

  /** The claims of one engine's run. */
  static of(engineAddress: string): Claims {
    return new Claims(runFolder(engineAddress));
  }

  /**
   * Replaces what the resource claimed before.
   * @throws {ConfigurationError} if the folder can't be written, or belongs to others.
   */
  claim(claim: Claim): void {
    this.#keep(claim);
    this.#lines.append(JSON.stringify(claim));
  }

  /**
   * The claims of all processes, in the order in which this one got to know them.
   * @throws {ConfigurationError} if the folder belongs to others, or a file in it is damaged.
   */
  all(): readonly Claim[] {
    this.#readOthers();
    return [...this.#latest.values()];
  }

  /** The claims on an object, one per resource that declares it. Each check asks, so it looks only at these. @throws as `all`. */
  claimsOn(key: string): readonly Claim[] {
    this.#readOthers();
    const claims = [...(this.#instances.get(key) ?? [])].flatMap((instance) => this.#latest.get(instance) ?? []);
    return claims.filter((claim) => claim.objectKey === key);
  }

  /** The paths of an object's secrets as far as any resource of this run declares them. @throws as `all`. */
  declaredMarks(key: string): readonly Path[] {
    return this.claimsOn(key).flatMap(({ marks = [] }) => marks);
  }

  /** The claim of a resource, as far as this process knows it. */
  latestOf(instance = ""): Claim | undefined {
    return this.#latest.get(instance);
  }

  /** Removes the file of this process. */
  close(): void {
    this.#lines.close();
  }

  #readOthers(): void {
    for (const { line } of this.#lines.fromOthers()) this.#keep(this.#claimIn(line));
  }

  /** A claim keeps what the resource's earlier ones have from its state: the engine checks a replaced resource twice. */
  #keep(claim: Claim): void {
    const { recordedKey, objectKey, createdAt, marks } = this.latestOf(claim.instance) ?? {};
    const ofObject = objectKey === claim.objectKey ? { createdAt, marks } : {};
    this.#latest.delete(claim.instance); // The latest one is the last.
    this.#latest.set(claim.instance, { recordedKey, ...ofObject, ...claim });
    const instances = this.#instances.get(claim.objectKey) ?? new Set();
    instances.delete(claim.instance);
    this.#instances.set(claim.objectKey, instances.add(claim.instance));
  }

  #claimIn(line: string): Claim {
    const claim = parseJson(line);
    const isClaim =
      isObject(claim) && ["objectKey", "instance", "serviceUrl"].every((key) => typeof claim[key] === "string");
    if (!isClaim) throw this.#lines.damaged();
    return claim as unknown as Claim; // as `claim` wrote it
  }
}

/** The Pulumi name of the resource. */
export const nameOf = ({ qualifiedNames: [own = ""] }: Claim) => own.replace(/^.*?::/, "");

/** Whether state records an object of the service at this URL for the claim's resource. */
export const isRecordedAt = ({ recordedKey, serviceUrl }: Claim, url: string, key: string): boolean =>
  recordedKey === key && serviceUrl === url;

/**
 * Whether the object of a claim is deleted so that its resource can create it again.
 * @param writer The qualified name of the resource that wrote the object last; undefined if that is not known.
 */
export function isReplacedBy(all: readonly Claim[], claim: Claim, writer: string | undefined): boolean {
  if (claim.step !== "awaited") return false;
  if (claim.recordedKey === claim.objectKey) return true;
  // With "--replace" the engine gives no recorded inputs, so the qualified name decides. A new resource looks the same, but may
  // never be created: one that it depends on can fail.
  const isAnothers = all.some((each) => isRecordedAt(each, claim.serviceUrl, claim.objectKey));
  return !isAnothers && writer !== undefined && claim.qualifiedNames.includes(writer);
}
