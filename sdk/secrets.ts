import * as pulumi from "@pulumi/pulumi";

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
export function encrypt(args: object, secrets: readonly string[]): object {
  return secrets.reduce<object>((encrypted, path) => encryptAt(encrypted, path.split(".")) as object, args);
}

function encryptAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.secret(value);
  const isOne = step !== "*";
  if (typeof value !== "object" || (isOne && Array.isArray(value))) return value; // Wrong type: `check` reports it.
  if (Array.isArray(value)) return value.map((each) => encryptAt(each, rest));
  // Not by spread: `plainArgs` may have hidden a property in a map.
  const copy: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value));
  const keys = isOne ? [step].filter((key) => Object.hasOwn(value, key)) : Object.keys(value);
  for (const key of keys) copy[key] = encryptAt(copy[key], rest);
  return copy;
}
