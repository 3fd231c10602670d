import { list, map, number, object, shape, string } from "../../../dist/provider/schema/field.js";
import { maskTest } from "../../../dist/provider/values/secrets.js";

const inner = shape("Inner", "", { a: string(""), n: number("") });

/** A field of each sort: what can be left out, filled in, spelled otherwise, put in another order, or secret. */
export const root = object(
  shape("Root", "", {
    text: string(""),
    count: number("", { defaultValue: 60 }),
    labels: map(""),
    inner: object(inner),
    items: list(object(inner), ""),
    words: list(string(""), "", { defaultValue: ["a", "b"] }),
    numbers: list(number(""), ""),
    set: list(object(inner), "", { unordered: true }),
    names: list(string(""), "", { unordered: true }),
    window: string("", { format: "duration" }),
    secret: string("", { secret: "value" }),
    url: string("", { secret: "url" }),
    tokens: list(string("", { secret: "value" }), ""),
    headers: map("", { secret: "url" }),
  }),
);

export const isMask = maskTest(["hidden"]);

export type Json = Record<string, unknown>;

/** `x1 y`: an x whose n is 1, and a y. */
export const parts = (text: string) => text.split(" ").map(([a, n]) => (n === undefined ? { a } : { a, n: Number(n) }));
