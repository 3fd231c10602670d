import { isRefusal, refusalOf } from "../../client/answers";
import { ObservabilityError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
import { threeWay } from "../../values/drift";
import { carryNewerFields } from "../../values/newerFields";
import { fromWirePath, ifMatching, objectFromWire } from "../../wire/codec";
import type { JsonObject } from "../../wire/json";
import { Target } from "./target";

/**
 * Sends the whole object by PUT, with the existing object's fields that our schema does not know, unless the service is
 * proved to reject them because only it may set them.
 * @param existing What is known of the object that the PUT overwrites; empty if it creates one.
 * @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased.
 */
export async function putWhole<T>(
  target: Target,
  existing: JsonObject,
  put: (body: JsonObject) => Promise<T>,
): Promise<T> {
  const { run, kind, wire } = target;
  if (run.putsWithoutNewer.has(kind)) return put(wire);
  const body = bodyOf(kind, wire, existing);
  if (body === wire) return put(wire);
  try {
    return await put(body);
  } catch (error) {
    if (!isRefusal(error) || error.isNotFound || !(await tryWithoutNewer(target, existing))) throw error;
    run.putsWithoutNewer.add(kind);
    return put(wire);
  }
}

/** Whether the service rejects its own object for those fields alone: dry runs of the unchanged object show it. */
async function tryWithoutNewer({ run, kind, slug, desired }: Target, existing: JsonObject): Promise<boolean> {
  if (run.settings.validate === "never") return false;
  const actual = objectFromWire(kind.root, existing);
  // A secret that the service masks is as declared: should the service ignore dry_run, no mask is written.
  const same = threeWay(kind.root, { recorded: desired, written: desired, actual }, run.isMask) as JsonObject;
  const unchanged = new Target(run, kind, same, slug);
  const accepts = async (body: JsonObject) =>
    (await refusalOf(run.client.put(kind, slug, body, { dryRun: true, createIfMissing: false }))) === undefined;
  return (await accepts(unchanged.wire)) && !(await accepts(bodyOf(kind, unchanged.wire, existing)));
}

/** The object with the newer fields of the existing one; the same object if there are none. */
function bodyOf(kind: Kind, wire: JsonObject, existing: JsonObject): JsonObject {
  const carried = ifMatching(() => carryNewerFields(kind.root, wire, existing));
  if (carried === undefined) return wire;
  if (carried.lost.length === 0) return carried.object;
  const places = carried.lost.map((path) => fromWirePath(kind.root, path)).join(", ");
  throw new ObservabilityError(
    "conflict",
    `the service has fields in ${places} that this version of pulumi-observability doesn't support, and this change ` +
      "would erase them. Install a newer version, or remove the fields in the service",
  );
}
