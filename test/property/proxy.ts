import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field, ObjectField } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { request } from "../support/http.js";
import { generator } from "./random.js";
import { isObject, isZero, type Json, minutesOf, wireKey } from "./meaning.js";

/** How a service may answer with an object other than it was sent, and still mean the same. */
export interface Manner {
  /** What stands in a secret's place; `clear` leaves it, `absent` leaves it out. */
  readonly secrets: "**REDACTED**" | "*****" | "" | "absent" | "clear";
  /** What stands in the place of a URL that carries credentials. */
  readonly urls: "****" | "clear";
  /** How a part that says nothing is spelt: an absent or zero scalar, an absent or empty array or map. */
  readonly nothing: "as it is" | "null" | "zero" | "left out";
  readonly reversedKeys: boolean;
  /** Unordered lists in reverse, durations in hours, minutes and seconds. */
  readonly respells: boolean;
  /** Where the service fills in what it was not sent: at about a third of all places, which the number decides. */
  readonly fillsIn: number | undefined;
}

export const plain: Manner = {
  secrets: "**REDACTED**",
  urls: "clear",
  nothing: "as it is",
  reversedKeys: false,
  respells: false,
  fillsIn: undefined,
};

/** An object in another manner. The service behind it shows secrets in clear. */
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
        if (options.format === "duration" && manner.respells) return respelt(value);
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
function respelt(text: unknown): unknown {
  const minutes = minutesOf(text);
  return typeof minutes === "number" ? `${Math.floor(minutes / 60)}h${minutes % 60}m0s` : text;
}

const hashOf = (text: string) => [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** A service seen through something that answers in its own manner, and that notes what it was asked. */
export interface Proxy {
  readonly url: string;
  /** Answers about the object under a slug, of the singleton under its id, in this manner from now on. */
  answer(slug: string, manner: Manner): void;
  /** What was asked about the object under a slug since the last call. */
  take(slug: string): Seen[];
  /** Everything that was asked and not taken. */
  readonly all: readonly Seen[];
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const manners = new Map<string, Manner>();
  const seen = new Map<string, Seen[]>();
  const slugsOf = (kind: Kind | undefined, url: URL, body: string): string[] => {
    if (kind === undefined) return [];
    if (kind.isSingleton) return [kind.singletonId];
    const [, , , , , slug] = url.pathname.split("/");
    if (slug !== undefined) return [decodeURIComponent(slug)];
    return body === "" ? url.searchParams.getAll("slugs") : [String(JSON.parse(body)[kind.wire.one]?.slug)];
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = "", url: path = "" } = incoming;
    const url = new URL(path, target);
    const plural = url.pathname.split("/")[4]?.replaceAll("-", "_");
    const kind = kinds.find(({ wire }) => plural === (wire.many ?? wire.one));
    for (const slug of slugsOf(kind, url, body))
      seen.set(slug, [...(seen.get(slug) ?? []), { method, url: path, body }]);
    const headers = { "API-Token": String(incoming.headers["api-token"]), "Content-Type": "application/json" };
    const answer = await request(url, method, headers, body === "" ? undefined : body);
    const json = JSON.parse(answer.text) as Json;
    const changed = (object: Json) => {
      if (kind === undefined || !isObject(object)) return object;
      return inManner(kind.root, object, manners.get(kind.isSingleton ? kind.singletonId : object.slug) ?? plain);
    };
    const { one = "", many = "" } = kind?.wire ?? {};
    if (isObject(json[one])) json[one] = changed(json[one]);
    if (Array.isArray(json[many])) json[many] = json[many].map(changed);
    response.writeHead(answer.status, { "Content-Type": "application/json", Date: answer.headers.get("date") ?? "" });
    response.end(JSON.stringify(json));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (slug, manner) => void manners.set(slug, manner),
    take: (slug) => {
      const requests = seen.get(slug) ?? [];
      seen.delete(slug);
      return requests;
    },
    get all() {
      return [...seen.values()].flat();
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
