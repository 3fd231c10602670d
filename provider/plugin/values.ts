import type { CreateRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Path } from "../schema/walk";
import { secretMark } from "../values/secrets";
import { Struct } from "./packages";
import { isObject, type JsonObject, withoutAbsent } from "../wire/json";

type Properties = ReturnType<CreateRequest["getProperties"]>;

/** The properties of a message, and which of them the engine marks as secret. */
export interface Received {
  readonly properties: JsonObject;
  readonly secrets: readonly Path[];
}

/** Takes the engine's marks off: the lifecycle has values and the paths of secrets. */
export function received(struct: Properties): Received {
  const secrets: Path[] = [];
  const properties = struct === undefined ? {} : plain(struct.toJavaScript(), [], secrets);
  return { properties: properties as JsonObject, secrets }; // a struct is an object
}

function plain(value: unknown, path: Path, secrets: Path[]): unknown {
  if (Array.isArray(value)) return value.map((each, i) => plain(each, [...path, i], secrets));
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, secretMark)) {
    secrets.push(path);
    return plain(value.value, path, []);
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, [...path, key], secrets)]));
}

/** Properties as the engine expects them. */
export const sent = (properties: JsonObject) =>
  Struct.fromJavaScript(withoutAbsent(properties) as Parameters<typeof Struct.fromJavaScript>[0]); // JSON
