import type { Kind } from "../schema/kind";
import { fromWire, isObject, type JsonObject } from "../wire/codec";
import { withoutAbsent } from "./meaning";
import { type FilledIn, filledIn } from "./projection";

/** Notes that we keep in a resource's state beside the user's properties; the engine shows no key that begins so. */
const notesKey = "__observability";

interface Notes {
  /** The service that the object belongs to. */
  readonly baseUrl: string;
  readonly filledIn: FilledIn;
  /** Read by `.get`, managed by somebody else. */
  readonly external?: boolean;
}

/** A resource's recorded outputs, taken apart. */
export interface State {
  /** What the user manages, in the arguments' spelling. */
  readonly managed: JsonObject;
  /** Absent where the resource was never written or read: the inputs of a `.get`. */
  readonly notes: Notes | undefined;
}

/** The arguments among a resource's properties. */
export function argumentsOf(kind: Kind, properties: JsonObject): JsonObject {
  return withoutAbsent(Object.fromEntries(Object.keys(kind.args.fields).map((name) => [name, properties[name]])));
}

export function stateOf(kind: Kind, outputs: JsonObject): State {
  const notes = outputs[notesKey];
  return {
    managed: argumentsOf(kind, outputs),
    // Written by `outputsOf` alone; an older shape would be told apart here.
    notes: isObject(notes) ? (notes as unknown as Notes) : undefined,
  };
}

/** The outputs of an object that was just written or read: what is managed, the timestamps, and our notes. */
export function outputsOf(
  kind: Kind,
  baseUrl: string,
  managed: JsonObject,
  wire: JsonObject | undefined,
  { external = false } = {},
): Record<string, unknown> {
  const answered = wire === undefined ? managed : fromWire(kind.root, wire);
  const notes: Notes = {
    baseUrl,
    filledIn: external ? {} : filledIn(kind.root, managed, answered),
    ...(external ? { external } : {}),
  };
  return {
    ...managed,
    ...timestamps(wire),
    [notesKey]: notes,
  };
}

function timestamps(wire: JsonObject | undefined): JsonObject {
  return withoutAbsent({ createdAt: wire?.created_at, updatedAt: wire?.updated_at });
}
