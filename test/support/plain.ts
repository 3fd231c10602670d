/** Pulumi's mark of a secret (sdk/go/common/resource/properties.go). */
export const secretMark = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"] as const;

/** A value as the engine hands it to a dynamic provider: with the marks of secrets taken off. */
export function plain<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each)) as T; // of the same items
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  if (object[secretMark[0]] === secretMark[1]) return object.value as T; // the value that was marked
  return Object.fromEntries(Object.entries(object).map(([key, each]) => [key, plain(each)])) as T; // of the same keys
}
