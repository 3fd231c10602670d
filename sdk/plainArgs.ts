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
  return copyOf(argsOf(title, args), "");
}

/**
 * The arguments of a program, which may have no types.
 * @throws if they are no object whose values can be looked at.
 */
export function argsOf<Args extends object>(title: string, args: Args | undefined): Partial<Args> {
  const given: unknown = args ?? {};
  if (typeof given === "object" && given !== null && !Array.isArray(given) && !isLater(given)) return given;
  throw new pulumi.RunError(
    `${title}: its arguments are ${nounOf(given)}: pass an object, whose values may be outputs`,
  );
}

/** @throws if a name is none, as it may be in a program without types. The SDK's error does not name the class. */
export function assertName(className: string, name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw new pulumi.RunError(
    `${className}: its name is ${nounOf(name)}: pass a text that is not empty as the first argument`,
  );
}

/** What a program without types may pass in place of another value. */
function nounOf(value: unknown): string {
  if (value === "") return "an empty string";
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (pulumi.Output.isInstance(value)) return "an output";
  if (value instanceof Promise) return "a promise";
  if (pulumi.Resource.isInstance(value)) return "a resource";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
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
