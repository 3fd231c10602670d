import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { caseOf, changed } from "../support/cases.js";

type Json = Record<string, unknown>;

/**
 * Begins and ends every canary, so that a half of one is found too. Neither hexadecimal nor of any word, so that no id,
 * digest or sentence holds it.
 */
export const mark = "gxqjzvkwhy";

/** The canary in the API token, which may hold no spaces. */
export const token = `${mark}-api-token-${mark}`;

/** One object whose secret places hold canaries. */
export interface Bearer {
  readonly kind: Kind;
  readonly slug: string;
  readonly args: Json;
  /** The secret places that hold one, as dotted paths. */
  readonly places: readonly string[];
}

/** The places of every secret of every kind, as `Notifier.webhook.url`. */
export const secretPlaces: readonly string[] = kinds.flatMap((kind) =>
  secretsOf(kind).map(({ place }) => `${kind.name}.${place}`),
);

/** Every way in which a text is quoted: quotes, lines, angles and letters that JSON, URLs and HTML spell in their own way. */
const awkward = ' "k\\e&y" <é>\n';

/** A secret of its own for each place and generation. */
function canary(path: Path, isUrl: boolean, generation: number): string {
  const place = `${generation}.${path.join(".")}`;
  if (isUrl) return `https://${mark}.example.com/${place}?a=1&b="<é>"#${mark}`;
  // What goes into a header has one line.
  const text = /(?:Key|Token)$/.test(String(path.at(-1))) ? awkward.trimEnd() : awkward;
  return `${mark}.${place}.${text}.${place}.${mark}`;
}

/**
 * Objects that hold a canary in every secret place; another generation has other canaries in the same places. The
 * service wants one receiver for each notifier, and one way of authentication and one key for each receiver.
 */
export function bearers(generation = 0): readonly Bearer[] {
  return kinds.flatMap((kind) => {
    const secrets = secretsOf(kind);
    const parts = [...new Set(secrets.map(({ path }) => String(path[0])))];
    const ways = (part: string) => {
      const own = secrets.filter(({ path }) => path[0] === part);
      const byToken = own.filter(({ path }) => path.includes("bearerToken"));
      const without = own.filter((each) => !byToken.includes(each));
      if (byToken.length === 0) return [own];
      const both = own.some(({ path }) => path.includes("serviceKey"));
      return [
        without.filter(({ path }) => !path.includes("serviceKey")),
        own.filter(({ path }) => !path.includes("basicAuth") && !(both && path.includes("routingKey"))),
      ];
    };
    return parts.flatMap((part) =>
      ways(part).map((own, i): Bearer => {
        const { args, changes } = caseOf(kind.name);
        const slug = `${kind.name}-${part}-${i}`.toLowerCase();
        const start = withoutSecrets({ ...changed(args, changes[part] ?? {}), slug }, own);
        const filled = own.reduce(
          (object, { path, isUrl }) => set(object, path, canary(path, isUrl, generation)) as Json, // a path begins with a field
          start,
        );
        return { kind, slug, args: filled, places: own.map(({ place }) => place) };
      }),
    );
  });
}

interface SecretPlace {
  /** In a list the path of the first item, in a map that of the key "another", as in the changes of test/support/cases.ts. */
  readonly path: Path;
  /** The dotted path in the schema, with `*` for the items of lists and maps. */
  readonly place: string;
  readonly isUrl: boolean;
}

function secretsOf(kind: Kind): readonly SecretPlace[] {
  const enter = (field: Field, path: Path, steps: readonly string[]): readonly SecretPlace[] =>
    field.visit({
      scalar: ({ options: { secret } }) =>
        secret === undefined ? [] : [{ path, place: steps.join("."), isUrl: secret === "url" }],
      map: ({ item }) => enter(item, [...path, "another"], [...steps, "*"]),
      list: ({ item }) => enter(item, [...path, 0], [...steps, "*"]),
      object: ({ shape }) =>
        Object.entries(shape.fields).flatMap(([name, inner]) => enter(inner, [...path, name], [...steps, name])),
    });
  return Object.entries(kind.args.fields).flatMap(([name, field]) => enter(field, [name], [name]));
}

/** A part's authentication and keys start empty, because two ways at once are refused. */
function withoutSecrets(args: Json, own: readonly SecretPlace[]): Json {
  const [part] = own.map(({ path }) => String(path[0]));
  const value = part === undefined ? undefined : args[part];
  if (part === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return args;
  const { httpConfig: _httpConfig, routingKey: _routingKey, serviceKey: _serviceKey, ...rest } = value as Json;
  return { ...args, [part]: rest };
}

function set(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === "number") return [set(Array.isArray(value) ? value[step] : undefined, rest, text)];
  const object = typeof value === "object" && value !== null ? (value as Json) : {};
  return { ...object, [step]: set(object[step], rest, text) };
}
