import { isRefusal } from "../../client/answers";
import { ApiError, ObservabilityError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
import { carryNewerFields } from "../../values/newerFields";
import { fromWirePath, ifMatching } from "../../wire/codec";
import type { JsonObject } from "../../wire/json";
import type { Target } from "./target";

/**
 * Sends the whole object by PUT, with the existing object's fields that our schema does not know.
 * @param existing What is known of the object that the PUT overwrites; empty if it creates one.
 * @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased.
 */
export async function putKeepingNewer<T>(
  { kind, wire }: Target,
  existing: JsonObject,
  put: (body: JsonObject) => Promise<T>,
): Promise<T> {
  const body = bodyOf(kind, wire, existing);
  try {
    return await put(body);
  } catch (error) {
    const mayBeOwn = body !== wire && isRefusal(error) && !error.isNotFound && error.problems.length === 0;
    throw mayBeOwn ? new ApiError({ ...error.facts, hint: ownFields }) : error;
  }
}

const ownFields =
  "The request contains fields that only the service knows, unchanged, because a PUT without them would erase them. If the " +
  'service rejects its own fields, the provider can\'t update its objects. To check the service, run "pulumi-observability doctor"';

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
