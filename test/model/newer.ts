import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { at, isObject, type Json, setAt } from "../property/equivalence.js";
import { targetOf } from "../support/cases.js";
import type { Arrival, Layer, Reply } from "../support/faults.js";
import { keyOf } from "./state.js";

const beginning = "newer_";
const isNewer = (name: string) => name.startsWith(beginning);

/** A field that the schema does not know: its place in the wire object, and what it holds. */
export type Newer = readonly [place: string, value: unknown];

/**
 * A newer service: each object may hold fields that this version's schema lacks, at its top and in the objects in it. As
 * a service does, it answers with them, and a PUT without them erases them. The service behind knows nothing of them.
 */
export class NewerFields implements Layer {
  /** What each object holds beyond the schema. */
  readonly #held = new Map<string, readonly Newer[]>();
  readonly #births = new Map<string, number>();

  /** How often there was a new object under a slug: tells whether it was deleted in between. */
  birthOf(key: string): number {
    return this.#births.get(key) ?? 0;
  }

  /** Sets a field of an object, at its top or inside. */
  add(kind: Kind, slug: string, wire: Json, choice: number): void {
    const key = keyOf(kind, slug);
    const places = objectsIn(kind.root, wire);
    const place = [...(places[choice % places.length] ?? []), `${beginning}${choice % 3}`].join(".");
    const others = (this.#held.get(key) ?? []).filter(([other]) => other !== place);
    this.#held.set(key, [...others, [place, `set ${choice}`]]);
  }

  /** What the service answers beyond the schema. */
  fieldsOf(key: string, wire: Json): Newer[] {
    return (this.#held.get(key) ?? []).filter(([place]) => isObject(at(wire, place.split(".").slice(0, -1))));
  }

  forget(key: string): void {
    this.#held.delete(key);
    this.#births.set(key, this.birthOf(key) + 1);
  }

  request({ body }: Arrival, text: string): string {
    return Object.keys(body).length === 0 ? text : JSON.stringify(without(body));
  }

  reply({ method, path, body, dryRun }: Arrival, reply: Reply): Reply {
    const found = targetOf(path);
    if (found === undefined || dryRun || reply.status !== 200) return reply;
    const { kind, slug } = found;
    const answered = JSON.parse(reply.text) as Json;
    const written = body[kind.wire.one] as Json | undefined;
    if (method === "DELETE" && slug !== undefined) this.forget(keyOf(kind, slug));
    if (written !== undefined && ["PUT", "POST"].includes(method)) {
      const key = keyOf(kind, slug ?? String(written.slug));
      this.#held.set(key, newerIn(written, []));
    }
    const add = (object: Json) =>
      this.fieldsOf(keyOf(kind, String(object.slug ?? kind.singletonId)), object).reduce<Json>(
        (shown, [place, value]) => setAt(shown, place.split("."), value) as Json,
        object,
      );
    const { one, many = "" } = kind.wire;
    const shown = {
      ...answered,
      ...(isObject(answered[one]) ? { [one]: add(answered[one]) } : {}),
      ...(Array.isArray(answered[many]) ? { [many]: (answered[many] as Json[]).map(add) } : {}),
    };
    return { ...reply, text: JSON.stringify(shown) };
  }
}

/** The places of all objects that are in no list. */
const objectsIn = (field: Field, value: unknown, place: readonly string[] = []): (readonly string[])[] =>
  field.visit<(readonly string[])[]>({
    scalar: () => [],
    map: () => [],
    list: () => [],
    object: ({ shape }) =>
      isObject(value)
        ? [
            place,
            ...shape.members.flatMap(({ wireName, field: inner }) =>
              objectsIn(inner, value[wireName], [...place, wireName]),
            ),
          ]
        : [],
  });

const without = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(without)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, each]) => (isNewer(name) ? [] : [[name, without(each)]])),
        )
      : value;

const newerIn = (value: Json, place: readonly string[]): Newer[] =>
  Object.entries(value).flatMap(([name, each]): Newer[] =>
    isNewer(name) ? [[[...place, name].join("."), each]] : isObject(each) ? newerIn(each, [...place, name]) : [],
  );
