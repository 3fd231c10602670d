import fc from "fast-check";
import type { Field, ObjectField } from "../../dist/provider/schema/field.js";
import { targetOf } from "../support/cases.js";
import type { Arrival, Layer, Reply } from "../support/faults.js";
import { type Drawn, generator } from "./random.js";
import { isObject, isZero, type Json, minutesOf, wireKey } from "./equivalence.js";

const drawn = fc.record({
  /** What stands in a secret's place; `clear` leaves it, `absent` leaves it out. */
  secrets: fc.constantFrom("**REDACTED**", "*****", "", "absent", "clear"),
  /** What stands instead of a URL that carries credentials. */
  urls: fc.constantFrom("clear", "****"),
  /** How a part that says nothing is spelled: an absent or zero scalar, an absent or empty array or map. */
  nothing: fc.constantFrom("as it is", "null", "zero", "left out"),
  reversedKeys: fc.boolean(),
  /** Unordered lists in reverse, durations in hours, minutes and seconds. */
  respells: fc.boolean(),
  /** Where the service fills in what it was not sent: at about a third of all places, which the number decides. */
  fillsIn: fc.oneof(fc.constant(undefined), fc.nat(1_000)),
});

/** How a service may answer with an object other than it was sent, and still mean the same. */
export type Manner = Drawn<typeof drawn>;

export const plain: Manner = {
  secrets: "**REDACTED**",
  urls: "clear",
  nothing: "as it is",
  reversedKeys: false,
  respells: false,
  fillsIn: undefined,
};

/** Every manner in which a service may answer. */
export const manners = fc.oneof(fc.constant(plain), drawn);

/** An object in another manner. The service behind it shows secrets in plain text. */
export function inManner(root: ObjectField, wire: Json, manner: Manner): Json {
  const enter = (field: Field, value: any, place: string): unknown =>
    field.visit<unknown>({
      scalar: ({ type, options }) => {
        if (options.secret !== undefined && !isZero(value)) {
          const said = options.secret === "url" ? manner.urls : manner.secrets;
          return said === "clear" ? value : said === "absent" ? undefined : said;
        }
        const filled = isFilled(place, value) && options.secret === undefined;
        if (filled) return { string: "filled in", boolean: true, number: 7.5, integer: 7 }[type];
        if (options.format === "duration" && manner.respells) return respelled(value);
        return isZero(value) ? nothing(value, { string: "", boolean: false, number: 0, integer: 0 }[type]) : value;
      },
      list: ({ item, options }) => {
        const list: unknown[] = value ?? [];
        if (list.length > 0) {
          // Of an unordered list all items are filled in alike, because an index means nothing.
          const placeOf = (i: number) => `${place}[${options.unordered ? "" : i}]`;
          const shown = list.map((each, i) => (isObject(each) ? enter(item, each, placeOf(i)) : each));
          return options.unordered && manner.respells ? shown.reverse() : shown;
        }
        const isData = item.visit({ scalar: ({ type }) => type === "string", object: no, list: no, map: no });
        return isFilled(place, undefined) && isData ? ["filled in"] : nothing(value, []);
      },
      map: () => {
        const added = isFilled(place, undefined) ? { "filled/in~by.the service": "yes" } : {};
        const map: Json = { ...value, ...added };
        return Object.keys(map).length > 0 ? inOrder(Object.entries(map)) : nothing(value, {});
      },
      object: ({ shape }) => {
        if (!isObject(value)) return isFilled(place, value) ? {} : nothing(value, undefined);
        const entries = Object.entries(shape.fields).map(([name, inner]) => {
          const key = wireKey(name, inner);
          const isIdentity = place === "" && (name === "name" || name === "slug");
          return [key, isIdentity ? value[key] : enter(inner, value[key], `${place}.${key}`)] as const;
        });
        const own = new Set(entries.map(([key]) => key));
        const others = Object.entries(value).filter(([key]) => !own.has(key));
        return inOrder([...entries, ...others].filter(([, each]) => each !== undefined));
      },
    });
  const no = () => false;
  const inOrder = (entries: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(manner.reversedKeys ? [...entries].reverse() : entries);
  const nothing = (value: unknown, zero: unknown) =>
    ({ "as it is": value, null: value ?? null, zero, "left out": undefined })[manner.nothing];
  const isFilled = (place: string, value: unknown) =>
    manner.fillsIn !== undefined && isZero(value) && generator(manner.fillsIn + hashOf(place))() < 1 / 3;
  return enter(root, wire, "") as Json;
}

/** `90m` → `1h30m0s`, as Go spells it. */
function respelled(text: unknown): unknown {
  const minutes = minutesOf(text);
  return typeof minutes === "number" ? `${Math.floor(minutes / 60)}h${minutes % 60}m0s` : text;
}

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);

/** A service that answers about each object in a manner of its own, and that notes what it was asked. */
export class Manners implements Layer {
  readonly #manners = new Map<string, Manner>();
  readonly #asked = new Map<string, string[]>();

  /** Answers about the object under a slug, of the singleton under its id, in this manner from now on. */
  answer(slug: string, manner: Manner): void {
    this.#manners.set(slug, manner);
  }

  /** What was asked about the object under a slug since the last call, each with its body. */
  take(slug: string): readonly string[] {
    const asked = this.#asked.get(slug) ?? [];
    this.#asked.delete(slug);
    return asked;
  }

  /** Everything that was asked and not taken. */
  get all(): readonly string[] {
    return [...this.#asked.values()].flat();
  }

  request({ method, path, query, body }: Arrival, text: string): string {
    const target = targetOf(path);
    if (target === undefined) return text;
    const inBody = (body[target.kind.wire.one] as Json | undefined)?.slug as unknown;
    const slugs = target.slug ?? (text === "" ? query.getAll("slugs") : String(inBody));
    for (const slug of [slugs].flat())
      this.#asked.set(slug, [...(this.#asked.get(slug) ?? []), `${method} ${path}?${query} ${text}`]);
    return text;
  }

  reply({ path }: Arrival, reply: Reply): Reply {
    const kind = targetOf(path)?.kind;
    if (kind === undefined) return reply;
    const json = JSON.parse(reply.text) as Json;
    const { one, many = "" } = kind.wire;
    const changed = (object: Json) =>
      inManner(kind.root, object, this.#manners.get(kind.isSingleton ? kind.singletonId : object.slug) ?? plain);
    if (isObject(json[one])) json[one] = changed(json[one]);
    if (Array.isArray(json[many])) json[many] = json[many].map(changed);
    return { ...reply, text: JSON.stringify(json) };
  }
}
