import { randomInt } from "node:crypto";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { scalarsOf } from "../../dist/provider/schema/walk.js";
import { caseOf, changed } from "../support/cases.js";

type Json = Record<string, unknown>;

// Neither hexadecimal nor of any word, so that no id, digest or sentence holds it.
const letters = "ghjkmnpqrstvwxyz";

/** Begins and ends every canary of this process, so that a half of one is found too. */
export const mark = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join("");

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
  secretsOf(kind).map(({ path }) => `${kind.name}.${path.join(".")}`),
);

/** Every way in which a text is quoted: quotes, lines, angles and letters that JSON, URLs and HTML spell in their own way. */
const awkward = ' "k\\e&y" <é>\n';

/** A secret of its own for each place and generation. */
function canary(path: readonly string[], isUrl: boolean, generation: number): string {
  const place = `${generation}.${path.join(".")}`;
  if (isUrl) return `https://${mark}.example.com/${place}?a=1&b="<é>"#${mark}`;
  // What goes into a header has one line.
  const text = /(?:Key|Token)$/.test(path.at(-1) ?? "") ? awkward.trimEnd() : awkward;
  return `${mark}.${place}.${text}.${place}.${mark}`;
}

/**
 * Objects that hold a canary in every secret place; another generation has other canaries in the same places. The
 * service wants one receiver for each notifier, and one way of authentication and one key for each receiver.
 */
export function bearers(generation = 0): readonly Bearer[] {
  return kinds.flatMap((kind) => {
    const secrets = secretsOf(kind);
    const parts = [...new Set(secrets.map(({ path }) => path[0] ?? ""))];
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
        const filled = own.reduce<Json>(
          (object, { path, field }) => set(object, path, canary(path, field.options.secret === "url", generation)),
          start,
        );
        return { kind, slug, args: filled, places: own.map(({ path }) => path.join(".")) };
      }),
    );
  });
}

function secretsOf(kind: Kind) {
  return scalarsOf(kind.args).filter(({ field }) => field.options.secret !== undefined);
}

/** A part's authentication and keys start empty, because two ways at once are refused. */
function withoutSecrets(args: Json, own: readonly { readonly path: readonly string[] }[]): Json {
  const [part] = own.map(({ path }) => path[0] ?? "");
  const value = part === undefined ? undefined : args[part];
  if (part === undefined || typeof value !== "object" || value === null) return args;
  const { httpConfig: _httpConfig, routingKey: _routingKey, serviceKey: _serviceKey, ...rest } = value as Json;
  return { ...args, [part]: rest };
}

function set(target: Json, [step, ...rest]: readonly string[], text: string): Json {
  if (step === undefined || step === "*") throw new Error("a canary in an array needs a place of its own here");
  const inner = target[step];
  if (rest.length === 0) return { ...target, [step]: text };
  return { ...target, [step]: set(typeof inner === "object" && inner !== null ? (inner as Json) : {}, rest, text) };
}
