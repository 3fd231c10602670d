/** The types that the interface document gives its fields. */
export type WireType = "string" | "secret string" | "enum" | "boolean" | "integer" | "number" | "map" | "date-time";

/** Every leaf of an object on the wire; `[]` stands for the items of an array. */
export type Paths = Readonly<Record<string, WireType>>;

/** A shape that the document shares, at one of the places where it stands. */
export const under = (place: string, shape: Paths): Paths =>
  Object.fromEntries(Object.entries(shape).map(([path, type]) => [`${place}.${path}`, type]));
