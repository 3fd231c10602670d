import type * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Args, Refused } from "../witness/witness.js";
import { witnesses } from "../witness/witnesses.js";

/** A kind with what tests do to it: its own example, and what its witness says or its schema lets follow. */
export interface KindCase {
  readonly kind: Kind;
  /** A complete valid configuration. */
  readonly args: Args;
  /** For each top-level field, arguments that change it and stay valid; `undefined` takes an argument away. */
  readonly changes: Readonly<Record<string, Args>>;
  readonly refused: Refused;
}

const longName: Refused = { change: { name: "n".repeat(1_001) }, path: "name" };

/** Every kind of the registry, also one without a witness: test/witness tells of it. */
export const cases: readonly KindCase[] = kinds.map((kind) => {
  const { changes = {}, refused = longName } = witnesses.find(({ name }) => name === kind.name) ?? {};
  const args = kind.example;
  const fields = Object.entries(kind.args.fields).filter(([name]) => name !== "slug");
  const changeOf = ([name, field]: [string, Field]) =>
    [name, changes[name] ?? { [name]: another(name, field, args[name]) }] as const;
  return { kind, args, changes: Object.fromEntries(fields.map(changeOf)), refused };
});

/** Another value of a field: of an object, with its first field changed. */
function another(name: string, field: Field, value: any): unknown {
  return field.visit<unknown>({
    scalar: ({ type, options: { suggestions = [] } }) => {
      if (type === "boolean") return !value;
      return type === "string" ? (suggestions.find((each) => each !== value) ?? `Another ${name}`) : (value ?? 0) + 1;
    },
    list: ({ item }) => [another(name, item, value?.[0])],
    map: () => ({ another: name }),
    object: ({ shape }) => {
      const first = Object.entries(shape.fields).slice(0, 1);
      return { ...value, ...Object.fromEntries(first.map(([key, inner]) => [key, another(key, inner, value?.[key])])) };
    },
  });
}

/** The singleton last, because it refers to a dataset. */
export const inOrder = [...cases].sort((a, b) => Number(a.kind.isSingleton) - Number(b.kind.isSingleton));

/** Those that a service of the described operations has. */
export const describedCases = cases.filter(({ kind }) => Object.values(kind.family).some(({ described }) => described));

/** One kind for each way in which objects are created and read: what else kinds do, they do by the same code. */
export const oneOfEach = cases.filter((each, i) => cases.findIndex((other) => wayOf(other) === wayOf(each)) === i);

function wayOf({ kind: { createsByPut, isSingleton, readsByList } }: KindCase): string {
  return JSON.stringify([createsByPut, isSingleton, readsByList]);
}

export function caseOf(kindName: string): KindCase {
  const found = cases.find(({ kind }) => kind.name === kindName);
  if (found === undefined) throw new Error(`there is no kind ${kindName}`);
  return found;
}

/** Declares a resource of a kind that is chosen at run time. */
export function newResource(
  kindName: string,
  name: string,
  args: Args,
  options: obs.ResourceOptions = {},
): pulumi.Resource {
  // Each class takes arguments of its own; here they come from the same table as the kind.
  const classes = obs as unknown as Record<
    string,
    new (name: string, args: Args, options: obs.ResourceOptions) => pulumi.Resource
  >;
  const Resource = classes[kindName];
  if (Resource === undefined) throw new Error(`the package exports no ${kindName}`);
  return new Resource(name, args, options);
}

/** Where an object of a kind stands in the service. */
export const pathOf = ({ family }: Kind, slug: string) => family.get.path.replace("{slug}", slug);

/** The kind that a path of the service is about, and the slug if it names one object. */
export function targetOf(path: string): { readonly kind: Kind; readonly slug: string | undefined } | undefined {
  for (const kind of kinds) {
    const list = kind.family.list?.path ?? pathOf(kind, "");
    if (path === list) return { kind, slug: kind.isSingleton ? kind.singletonId : undefined };
    if (path.startsWith(`${list}/`)) return { kind, slug: decodeURIComponent(path.slice(list.length + 1)) };
  }
  return undefined;
}

/** The id of an object: its slug, by default that of the example. The singleton has an id of its own. */
export const idOf = ({ kind, args }: KindCase, slug = String(args.slug)) =>
  kind.isSingleton ? kind.singletonId : slug;

/** What messages call an object: `notifier "pager"`. The singleton has no slug. */
export const titleOf = ({ isSingleton, title }: Kind, slug: string) =>
  isSingleton ? `the ${title}` : `${title} "${slug}"`;

/** The arguments of the example under another slug, unless the kind is the singleton. */
export const argsWith = ({ kind, args }: KindCase, slug: string): Args =>
  kind.isSingleton ? { ...args } : { ...args, slug };

/** The arguments with a change laid over them. */
export function changed(args: Args, change: Args): Args {
  const merged = { ...args, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
