/** A read-only JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a call returns; undefined if it throws. */
export function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; undefined if it is none. */
export const parseJson = (text: string): unknown => tried(() => JSON.parse(text));

/** The same with the text of each number: `1.50` is not `1.5` to a person, and a number keeps only 15 digits. */
export const parseJsonTexts = (text: string): unknown =>
  parseJson(text) === undefined
    ? undefined
    : parseJson(
        text.replace(/"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)),
      );

/** The value's type in messages: `a string`, `an array`, `null`, … */
export function nounOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/** Every text, number and key in a value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return [...keys, ...Object.values(value).flatMap(textsIn)];
}

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

// Without a prototype: a user's key may be called "constructor".
export const entries = (value: unknown): JsonObject =>
  Object.assign(Object.create(null), isObject(value) ? value : undefined);

export const keysOf = (a: JsonObject, b: JsonObject) => [...new Set([...Object.keys(a), ...Object.keys(b)])];

/** The value without absent object keys, at any depth. Keeps absent array items, so that an error can name them. */
export function withoutAbsent(value: JsonObject): JsonObject;
export function withoutAbsent(value: unknown): unknown;
export function withoutAbsent(value: unknown): unknown {
  if (!holdsAbsent(value)) return value;
  if (Array.isArray(value)) return value.map((each) => withoutAbsent(each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined && each !== null)
      .map(([key, each]) => [key, withoutAbsent(each)]),
  );
}

// Most values contain none and need no copy.
function holdsAbsent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAbsent);
  return (
    isObject(value) && Object.values(value).some((each) => each === undefined || each === null || holdsAbsent(each))
  );
}
