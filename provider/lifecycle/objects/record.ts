import { recordKey } from "../../protocol";
import type { Kind } from "../../schema/kind";
import type { Path } from "../../schema/walk";
import { type FilledIn, filledIn, objectAsWritten, threeWay } from "../../values/drift";
import { isComparable } from "../../base/sameTime";
import { isSecretPlace } from "../../values/secrets";
import { fromWire } from "../../wire/codec";
import { entries, isObject, type JsonObject, withoutAbsent } from "../../wire/json";
import type { Target } from "./target";

interface StateRecord {
  /** The service that the object belongs to. */
  readonly baseUrl: string;
  readonly filledIn: FilledIn;
  /**
   * The qualified name, as in its URN, of the resource that last created, updated, adopted or imported the object. After an
   * alias it is the former name, until the next write.
   */
  readonly owner?: string;
  /** The paths that were marked as secret in the last write, without the schema's secrets: state encrypts them. */
  readonly secrets?: readonly Path[];
  /** The names in `additionalSecretOutputs` at the last write. */
  readonly secretOutputs?: readonly string[];
  /** Whether the last write kept what `ignoreChanges` names, so that the engine's inputs are not what was written. */
  readonly keepsIgnored?: boolean;
  /** Read by `.get` and managed elsewhere. */
  readonly external?: boolean;
}

/** A resource's recorded outputs, taken apart. */
export interface RecordedState {
  /** The managed arguments, in the user's spelling. */
  readonly managed: JsonObject;
  /** Undefined if the resource was never written or read, such as the inputs of a `.get`. */
  readonly record: StateRecord | undefined;
  /** When the recorded object was created: with kind and slug, this identifies it. */
  readonly createdAt: string | undefined;
}

/** The arguments among a resource's properties. */
export function argumentsOf(kind: Kind, properties: JsonObject): JsonObject {
  // Most are absent.
  const present = Object.keys(kind.args.fields).filter((name) => properties[name] !== undefined);
  return withoutAbsent(Object.fromEntries(present.map((name) => [name, properties[name]])));
}

export function stateOf(kind: Kind, outputs: JsonObject): RecordedState {
  const { createdAt } = outputs;
  return {
    managed: argumentsOf(kind, outputs),
    // The API's type is a string, but a service may send another one.
    createdAt: createdAt === undefined ? undefined : String(createdAt),
    record: recordIn(outputs),
  };
}

/** Our record among a resource's outputs. */
export function recordIn({ [recordKey]: record }: JsonObject): StateRecord | undefined {
  // The cast is safe: only `outputsOf` writes a record.
  return isObject(record) ? { ...(record as unknown as StateRecord), filledIn: entries(record.filledIn) } : undefined;
}

/** The recorded arguments as the service has them now. What it fills in, or masks, is no edit. */
export const managedNow = (
  { managed, record }: RecordedState,
  { session, kind }: Target,
  actual: JsonObject,
): JsonObject =>
  threeWay(
    kind.root,
    { recorded: managed, written: objectAsWritten(managed, record?.filledIn ?? {}), actual },
    session.isMask,
  ) as JsonObject; // projecting an object gives an object

/** The paths that the class marks as secret, without the schema's secrets. Empty if the program is not known. */
export const markedIn = ({ kind, args, context: { secrets = [] } }: Target): readonly Path[] =>
  secrets.filter((path) => !isSecretPlace(kind.root, args, path));

/**
 * The outputs of an object that was just read or written: managed arguments, timestamps and our record.
 * @param target With the managed arguments.
 * @param answered The object on the wire, in the arguments' spelling.
 */
export function outputsOf(
  target: Target,
  wire: JsonObject | undefined,
  {
    external = false,
    owner = target.context.qualifiedName,
    secrets = external ? [] : markedIn(target),
    secretOutputs = external ? [] : (target.context.secretOutputs ?? []),
    keepsIgnored = false,
    answered = wire === undefined ? target.args : fromWire(target.kind.root, wire),
  }: Partial<Pick<StateRecord, "external" | "secrets" | "secretOutputs" | "keepsIgnored">> & {
    readonly owner?: string | undefined;
    readonly answered?: JsonObject;
  } = {},
): Record<string, unknown> {
  const { session, kind, args: managed } = target;
  const record: StateRecord = {
    baseUrl: session.client.baseUrl,
    filledIn: external ? {} : filledIn(kind.root, managed, answered, session.isMask),
    ...(owner === undefined ? {} : { owner }),
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(secretOutputs.length === 0 ? {} : { secretOutputs }),
    ...(keepsIgnored ? { keepsIgnored } : {}),
    ...(external ? { external } : {}),
  };
  return {
    ...managed,
    ...withoutAbsent({
      createdAt: isComparable(wire?.created_at) ? wire?.created_at : undefined,
      updatedAt: wire?.updated_at,
    }),
    [recordKey]: record,
  };
}
