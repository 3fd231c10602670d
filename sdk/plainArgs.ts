import * as pulumi from "@pulumi/pulumi";

/**
 * A copy of a resource's arguments that says all that they say. Pulumi's own way of sending them leaves out what an
 * instance of a class says by getters, and breaks on the map key "toString".
 * @throws where a key cannot be sent in any form; not where it comes out of an output.
 */
export function plainArgs(title: string, args: object | undefined): Record<string, unknown> {
  const copy = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) return value.map((each, i) => copy(each, `${place}[${i}]`));
    if (typeof value !== "object" || value === null || isLater(value)) return value;
    return copyOf(value, place);
  };
  const copyOf = (value: object, place: string) => {
    const entries = keysOf(value).map((key): [string, unknown] => {
      const here = place === "" ? key : `${place}.${key}`;
      // Assigned as any other key, it would become the object's prototype, on the way or there.
      if (key === "__proto__") throw new pulumi.RunError(`${title}: ${here}: Pulumi cannot carry a key of this name`);
      return [key, copy((value as Record<string, unknown>)[key], here)];
    });
    const copied = Object.fromEntries(entries);
    // Pulumi puts each argument into a text of its own, which needs a way that is not the key's value.
    if ("toString" in copied && typeof copied.toString !== "function") {
      Object.defineProperty(copied, Symbol.toPrimitive, { value: () => "[object Object]" });
    }
    return copied;
  };
  // A program without types may give none.
  return copyOf(args ?? {}, "");
}

/** What Pulumi itself makes a value of. */
const isLater = (value: object) =>
  pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.Resource.isInstance(value);

/** The names under which an object says something: its own, and its classes' getters. */
function keysOf(value: object): readonly string[] {
  const keys = new Set(Object.keys(value));
  // The last prototype is that of all objects, whose `__proto__` is a getter too.
  for (
    let type = Object.getPrototypeOf(value);
    type && Object.getPrototypeOf(type);
    type = Object.getPrototypeOf(type)
  ) {
    const properties = Object.entries(Object.getOwnPropertyDescriptors(type));
    for (const [key, { get }] of properties) if (get !== undefined) keys.add(key);
  }
  return [...keys];
}
