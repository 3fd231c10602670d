import * as pulumi from "@pulumi/pulumi";

/**
 * A complete plain copy of a resource's arguments. Pulumi itself leaves out the getters of class instances, and breaks
 * on the map key "toString".
 * @throws if a key can't be sent in any form. Does not check keys inside of outputs.
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
      // Some code on the way would assign it and so set the object's prototype.
      if (key === "__proto__")
        throw new pulumi.RunError(`${title}: ${here}: Pulumi can't send a key with this name. Use another key`);
      return [key, copy((value as Record<string, unknown>)[key], here)];
    });
    const copied = Object.fromEntries(entries);
    // Pulumi converts each argument to a string, and must not call this key's value.
    if ("toString" in copied && typeof copied.toString !== "function") {
      Object.defineProperty(copied, Symbol.toPrimitive, { value: () => "[object Object]" });
    }
    return copied;
  };
  return copyOf(argsOf(title, args), "");
}

/**
 * The arguments as an object. A program without types may pass anything.
 * @throws if they are not a plain object.
 */
export function argsOf<Args extends object>(title: string, args: Args | undefined): Partial<Args> {
  const given: unknown = args ?? {};
  if (typeof given === "object" && given !== null && !Array.isArray(given) && !isLater(given)) return given;
  throw new pulumi.RunError(
    `${title}: expected an object of arguments, got ${nounOf(given)}. The values of the object may be outputs`,
  );
}

/** @throws if the name is not a string, or empty. The SDK's own error would not name the class. */
export function assertName(className: string, name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw new pulumi.RunError(
    `${className}: expected a name as the first argument, got ${nounOf(name)}. Pass a string that is not empty`,
  );
}

/** The noun of a wrong value, for messages. */
function nounOf(value: unknown): string {
  if (value === "") return "an empty string";
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (pulumi.Output.isInstance(value)) return "an output";
  if (value instanceof Promise) return "a promise";
  if (pulumi.Resource.isInstance(value)) return "a resource";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Whether Pulumi itself resolves the value: an output, a promise or a resource. */
export const isLater = (value: unknown): boolean =>
  pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.Resource.isInstance(value);

/** The object's own keys and its classes' getters. */
function keysOf(value: object): readonly string[] {
  const keys = new Set(Object.keys(value));
  // Stops before `Object.prototype`, whose `__proto__` is a getter too.
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

/** The paths of values that the program or this class marks as secret; undefined without an output or promise. */
export function secretPaths(args: object): Promise<readonly (string | number)[][]> | undefined {
  const later: [path: (string | number)[], value: unknown][] = [];
  const enter = (value: unknown, path: (string | number)[]): void => {
    if (pulumi.Output.isInstance(value) || value instanceof Promise) later.push([path, value]);
    else if (Array.isArray(value)) value.forEach((each, i) => enter(each, [...path, i]));
    else if (typeof value === "object" && value !== null && !pulumi.Resource.isInstance(value))
      for (const [key, each] of Object.entries(value)) enter(each, [...path, key]);
  };
  enter(args, []);
  if (later.length === 0) return undefined;
  const marked = later.map(async ([path, value]) => {
    const isSecret = await pulumi.isSecret(pulumi.output(value)).catch(() => false);
    return isSecret ? [path] : [];
  });
  return Promise.all(marked).then((paths) => paths.flat());
}

/** A copy of the arguments with every secret as a Pulumi secret. If a secret is inside of an output, all of it is. */
export function withSchemaSecrets(args: object, secrets: readonly string[]): object {
  return secrets.reduce<object>((marked, path) => markAt(marked, path.split(".")) as object, args);
}

function markAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.secret(value);
  const isOne = step !== "*";
  if (typeof value !== "object" || (isOne && Array.isArray(value))) return value; // Wrong type: `check` reports it.
  if (Array.isArray(value)) return value.map((each) => markAt(each, rest));
  // Not by spread: `plainArgs` may have hidden a property in a map.
  const copy: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value));
  const keys = isOne ? [step].filter((key) => Object.hasOwn(value, key)) : Object.keys(value);
  for (const key of keys) copy[key] = markAt(copy[key], rest);
  return copy;
}
