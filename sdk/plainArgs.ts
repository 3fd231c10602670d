import * as pulumi from "@pulumi/pulumi";
import { nounOf } from "../provider/wire/json";

/**
 * A complete plain copy of a resource's arguments. Pulumi itself leaves out the getters of class instances, and breaks
 * on the map key "toString".
 * @throws if they are no plain object, or hold a key or value that can't be sent: in an output or promise, it rejects that.
 */
export function plainArgs(title: string, args: object | undefined): Record<string, unknown> {
  const given: unknown = args ?? {}; // A program without types may pass anything.
  if (typeof given !== "object" || given === null || Array.isArray(given) || isLater(given))
    throw new pulumi.RunError(
      `${title}: expected an object of arguments, got ${nounFor(given)}. The values of the object may be outputs`,
    );
  return plainCopy(title, given) as Record<string, unknown>; // the copy of an object
}

/** A copy of any value, plain as `plainArgs` makes its arguments. */
export function plainCopy(title: string, given: unknown): unknown {
  const copy = (value: unknown, place: string, around: readonly unknown[]): unknown => {
    const problem = problemOf(value, around);
    if (problem !== undefined) throw unsendable(title, place, problem);
    if (pulumi.Output.isInstance(value)) return value.apply((known) => copy(known, place, around));
    if (value instanceof Promise) return value.then((known) => copy(known, place, around));
    if (typeof value !== "object" || value === null || isLater(value)) return value;
    const within = [...around, value];
    if (Array.isArray(value)) return value.map((each, i) => copy(each, `${place}[${i}]`, within));
    const entries = keysOf(value).map((key): [string, unknown] => {
      const here = place === "" ? key : `${place}.${key}`;
      // Some code on the way would assign it and so set the object's prototype.
      if (key === "__proto__") throw unsendable(title, here, "a key with this name. Use another key");
      return [key, copy((value as Record<string, unknown>)[key], here, within)];
    });
    const copied = Object.fromEntries(entries);
    // Pulumi converts each argument to a string, and must not call this key's value.
    if (Object.hasOwn(copied, "toString")) {
      Object.defineProperty(copied, Symbol.toPrimitive, { value: () => "[object Object]" });
    }
    return copied;
  };
  return copy(given, "", []);
}

const unsendable = (title: string, place: string, problem: string) =>
  new pulumi.RunError(`${title}: ${place === "" ? "" : `${place}: `}Pulumi can't send ${problem}`);

/** Far more levels than an argument has, and far fewer than fit into the stack. */
const maxLevels = 100;

/** What the value is, if Pulumi would drop, empty or never finish sending it, and what to pass instead; else undefined. */
function problemOf(value: unknown, around: readonly unknown[]): string | undefined {
  if (typeof value === "function") return "a function. Pass what it returns";
  if (typeof value === "symbol" || typeof value === "bigint") return `${nounFor(value)}. Pass a number or a string`;
  if (typeof value === "number" && !Number.isFinite(value)) return `${value}. Pass a finite number`;
  if (pulumi.ComponentResource.isInstance(value)) return "a component. Pass one of its outputs";
  if (typeof value !== "object" || value === null || isLater(value)) return undefined;
  if (around.includes(value)) return "a circular reference. Pass a value that doesn't contain itself";
  if (around.length === maxLevels) return `more than ${maxLevels} levels of objects and arrays. Pass fewer`;
  if (Array.isArray(value) || isReadable(value)) return undefined;
  const type = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: string } }; // else it is readable
  const name = type.constructor?.name ?? "";
  return `an instance of ${name || "a class"}. Pass ${remedies[name] ?? "a string, a number, a boolean, an array or a plain object"}`;
}

const remedies: Readonly<Record<string, string>> = {
  Date: "a string, such as that of toISOString()",
  Map: "an object, such as that of Object.fromEntries()",
  Set: "an array, such as that of Array.from()",
  URL: "a string, such as its href",
};

/** Whether the properties of an object are all that it has: not if it is of JavaScript, a thenable, an asset, or has none. */
function isReadable(value: object): boolean {
  const type: unknown = Object.getPrototypeOf(value);
  if (type === null || Object.getPrototypeOf(type) === null) return true; // Not of a class.
  const isThenable = "then" in value && typeof value.then === "function";
  const isAsset = pulumi.asset.Asset.isInstance(value) || pulumi.asset.Archive.isInstance(value);
  const isOfProgram = Object.prototype.toString.call(value) === "[object Object]";
  return isOfProgram && !isThenable && !isAsset && keysOf(value).length > 0;
}

/** @throws if the name is not a string, or empty. The SDK's own error would not name the class. */
export function assertName(className: string, name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw new pulumi.RunError(
    `${className}: expected a name as the first argument, got ${nounFor(name)}. Pass a string that is not empty`,
  );
}

/** The noun of a wrong value, for messages. */
function nounFor(value: unknown): string {
  if (value === "") return "an empty string";
  if (value === undefined) return "undefined";
  if (pulumi.Output.isInstance(value)) return "an output";
  if (value instanceof Promise) return "a promise";
  return pulumi.Resource.isInstance(value) ? "a resource" : nounOf(value);
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
