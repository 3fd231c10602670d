import type { Field, Shape } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { loadDocument } from "../../service/dist/document.js";
import { operationsOf } from "../../service/dist/operations.js";
import { mentions } from "../../service/dist/rules/index.js";
import { Validator } from "../../service/dist/validate.js";
import { at, isZero, type Json, onWire, setAt, wireKey } from "./equivalence.js";

// The service's own rules decide what is valid: test/service/problems.test.ts tries each of them.

/** Datasets that every service under test holds: what a log allocation may name. */
export const knownDatasets = ["known-logs-1", "known-logs-2", "known-logs-3", "known-logs-4"];

const document = loadDocument();
const validator = new Validator(document, { strict: true, parsesQueries: true });
const checks = new Map(
  operationsOf(document, "all").flatMap(({ kind, verb, request }) =>
    verb === "update" && request !== undefined ? [[kind.name, validator.forRequest(request, kind.one)] as const] : [],
  ),
);

/** The places that the service rejects, in the arguments' spelling. */
function problemsIn({ name, root, wire, isSingleton }: Kind, config: Json): readonly Path[] {
  // The provider makes a name of the resource's.
  const declared = isSingleton || !isZero(config.name) ? config : { ...config, name: "a" };
  const object = JSON.parse(JSON.stringify(onWire(root, declared))) as Json;
  const problems = checks.get(name)?.({ [wire.one]: object }).problems.listed ?? [];
  const strange = (problems.length > 0 ? [] : (mentions[name]?.(object) ?? [])).filter(
    ({ slug }) => !knownDatasets.includes(slug),
  );
  return [...problems, ...strange].map(({ path }) => pathIn(root, path));
}

/** Whether the service accepts a configuration of right types. */
export const isValid = (kind: Kind, config: Json) => problemsIn(kind, config).length === 0;

/** The configuration with the least changes, one at a time, that make it valid, as far as there are such. */
export function mended(kind: Kind, config: Json): Json {
  const problems = problemsIn(kind, config);
  const [path] = problems;
  if (path === undefined) return config;
  const better = waysOut(kind, config, path).find((each) => problemsIn(kind, each).length < problems.length);
  return better === undefined ? config : mended(kind, better);
}

/** The configuration without a part of what stands at a place, without that, with another value there, or without what is around it. */
function waysOut({ root, example }: Kind, config: Json, path: Path): readonly Json[] {
  const here: unknown = at(config, path);
  const parts = typeof here === "object" && here !== null ? Object.keys(here) : [];
  const inner = Array.isArray(here) ? parts.map(Number) : parts;
  const around = path.map((_, i) => path.slice(0, path.length - i));
  const others = [at(example, path), leastOf(path.reduce<Field | undefined>(entered, root))];
  return [
    ...inner.map((part) => without(config, [...path, part])),
    ...around.slice(0, 1).map((each) => without(config, each)),
    ...others.flatMap((each) => (each === undefined || path.length === 0 ? [] : [setAt(config, path, each) as Json])),
    ...around.slice(1).map((each) => without(config, each)),
  ];
}

/** Without what stands at a place, which may be an item of a list. */
function without(config: Json, path: Path): Json {
  const around = path.slice(0, -1);
  const list: unknown = at(config, around);
  if (!Array.isArray(list)) return setAt(config, path, undefined);
  const others = list.filter((_, i) => i !== path.at(-1));
  return setAt(config, around, others);
}

/** A place in either spelling, as a path in the arguments'. */
export function pathIn(root: Field, place: string): Path {
  let field: Field | undefined = root;
  const steps = place.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[\]]+/g);
  return [...steps].map(([word, index, key]) => {
    const given = index === undefined ? (key === undefined ? word : (JSON.parse(key) as string)) : Number(index);
    const names = Object.entries(shapeOf(field)?.fields ?? {});
    const step = names.find(([name, each]) => wireKey(name, each) === given)?.[0] ?? given;
    field = entered(field, step);
    return step;
  });
}

const shapeOf = (field: Field | undefined) =>
  field?.visit<Shape | undefined>({ object: ({ shape }) => shape, scalar: none, list: none, map: none });
const entered = (field: Field | undefined, step: string | number) =>
  field?.visit<Field | undefined>({
    object: ({ shape }) => shape.fields[step],
    list: ({ item }) => item,
    map: ({ item }) => item,
    scalar: none,
  });
const none = () => undefined;

/** The fields of an object that are always there. */
export const requiredIn = (shape: Shape) =>
  Object.entries(shape.fields).filter(([, { options }]) => options.required === "always");

/** A value that says as little as the schema allows. */
const leastOf = (field: Field | undefined): unknown =>
  field?.visit<unknown>({
    // Of a secret that is shorter, a message would be garbled.
    scalar: ({ type, options: { secret, suggestions = [secret === undefined ? "a" : "secret-a"] } }) =>
      ({ string: suggestions[0], boolean: true, number: 1, integer: 1 })[type],
    list: ({ item }) => [leastOf(item)],
    map: () => ({ a: "b" }),
    object: ({ shape }) => Object.fromEntries(requiredIn(shape).map(([name, inner]) => [name, leastOf(inner)])),
  });
