import type { Kind } from "../schema/kind";
import { carryNewerFields } from "../values/newerFields";
import { fromWirePath, ifMatching } from "../wire/codec";
import type { JsonObject } from "../wire/json";
import { isRejection } from "./failures";
import { ApiError, ObservabilityError } from "./errors";

/**
 * An object to write with the existing object's fields that our schema does not know; the same object if there are none.
 * @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased.
 */
export function withNewerFields(kind: Kind, object: JsonObject, existing: JsonObject): JsonObject {
  const carried = ifMatching(() => carryNewerFields(kind.root, object, existing));
  if (carried === undefined) return object;
  if (carried.lost.length === 0) return carried.object;
  const places = carried.lost.map((path) => fromWirePath(kind.root, path)).join(", ");
  throw new ObservabilityError(
    "conflict",
    `the service has fields in ${places} that this version of pulumi-observability doesn't support, and this change ` +
      "would erase them. Install a newer version, or remove the fields in the service",
  );
}

/** Rejects as the PUT of an object with such fields: the service may have rejected them. */
export function ownFieldsDoubt(error: unknown): never {
  const mayBeOwn = isRejection(error) && !error.isNotFound && error.problems.length === 0;
  throw mayBeOwn ? new ApiError({ ...error.facts, hint: ownFields }) : error;
}

const ownFields =
  "The request contains fields that only the service knows, unchanged, because a PUT without them would erase them. If the " +
  'service rejects its own fields, the provider can\'t update its objects. To check the service, run "pulumi-observability doctor"';
