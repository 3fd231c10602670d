import { isDeepStrictEqual } from "node:util";
import { latenessOf } from "../../base/sameTime";
import type { JsonObject } from "../../wire/json";

/** How long a service's reads may lag behind its writes, in milliseconds. */
const longestLagMs = 4_000;

interface Recent {
  readonly at: number;
  /** The object before the write, and before other recent ones. */
  readonly former: readonly unknown[];
  /** The object after it: "none" after a delete, undefined if it is not known. */
  readonly object: JsonObject | "none" | undefined;
}

/** The objects that this process has written in the last seconds: a service may read from copies that lag behind. */
export class RecentWrites {
  readonly #writes = new Map<string, Recent>();

  /** Records a write that the service has confirmed. */
  add(key: string, before: JsonObject | undefined, object: Recent["object"]): void {
    const [earlier, now] = [this.#recent(key), performance.now()];
    this.#writes.delete(key); // The latest one is the last.
    this.#writes.set(key, { at: now, former: [...(earlier?.former ?? []), earlier?.object, before], object });
    for (const [each, { at }] of this.#writes) {
      if (now - at <= longestLagMs) break;
      this.#writes.delete(each);
    }
  }

  /** Records that the object exists, by another answer than a read. */
  recordExists(key: string): void {
    if (this.#recent(key) === undefined)
      this.#writes.set(key, { at: performance.now(), former: [], object: undefined });
  }

  isDeleted(key: string): boolean {
    return this.#recent(key)?.object === "none";
  }

  /** Whether a read may be older than the latest write. If the service has deleted the object since, it looks the same. */
  contradict(key: string, read: JsonObject | undefined): boolean {
    const latest = this.#recent(key);
    if (latest === undefined) return false;
    const { object, former } = latest;
    if (read === undefined) return object !== "none";
    if (isDeepStrictEqual(read, object)) return false;
    const lateness = typeof object === "object" ? latenessOf(object.updated_at, read.updated_at) : undefined;
    return (lateness ?? 0) > 0 || former.some((each) => isDeepStrictEqual(each, read));
  }

  #recent(key: string): Recent | undefined {
    const latest = this.#writes.get(key);
    return latest !== undefined && performance.now() - latest.at <= longestLagMs ? latest : undefined;
  }
}
