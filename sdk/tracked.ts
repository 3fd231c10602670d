import * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import { type Context, contextKey, type Registered } from "../provider/protocol";
import type { ReadableOutput } from "./internals";

/** A resource that the class may validate in a preview. */
export interface Tracked {
  readonly resource: pulumi.CustomResource;
  readonly kind: string;
  readonly type: string;
  /** The names of the declared arguments: their outputs contain what `check` returned. */
  readonly keys: readonly string[];
  /** The context that `check` gets. */
  readonly context: Context & { readonly instance: string };
  /** The paths of values that the program marks as secret. */
  readonly marks: Promise<readonly (string | number)[][]> | undefined;
  /** The arguments before transformations and transforms, if there may be any. */
  readonly given: Readonly<Record<string, unknown>> | undefined;
}

/** The registered resource, if something changes; else undefined. */
export async function outcomeOf(tracked: Tracked): Promise<Registered | undefined> {
  const { resource, kind, context, marks, given } = tracked;
  const declared = resource as unknown as Readonly<Record<string, ReadableOutput>>; // these keys have only outputs
  const isKnown = isKnownIn(declared);
  // updatedAt is known only if nothing changes. Without a known `__provider`, --target left the resource out.
  if ((await isKnown("updatedAt")) || !(await isKnown("__provider"))) return undefined;
  // `check` removes the context: if it is still there, the engine did not call `check`.
  if ((await isKnown(contextKey)) && (await declared[contextKey]?.promise()) !== undefined) return undefined;
  const { inputs, isComplete } = await knownOf(tracked);
  const added = given === undefined ? [] : await addedSecrets(declared, given, inputs);
  const marked = [...((await marks) ?? []), ...added.map((key) => [key])];
  return {
    kindName: kind,
    inputs,
    context: marked.length === 0 ? context : { ...context, secrets: marked },
    isNew: !(await isKnown("id")),
    // `check` has reported which values are unknown.
    isComplete,
  };
}

const isKnownIn = (declared: Readonly<Record<string, ReadableOutput>>) => (key: string) =>
  declared[key]?.isKnown ?? Promise.resolve(true);

/** The known arguments, as `check` returned them, and whether these are all. */
export async function knownOf({ resource, keys }: Tracked): Promise<Pick<Registered, "inputs" | "isComplete">> {
  const declared = resource as unknown as Readonly<Record<string, ReadableOutput>>; // these keys have only outputs
  const values = new Map<string, unknown>();
  let isComplete = true;
  for (const key of keys) {
    if (await isKnownIn(declared)(key)) values.set(key, withoutMarks(await declared[key]?.promise()));
    // An argument that `check` took for absent is not known either, but its value is undefined.
    else if ((await declared[key]?.promise(true)) !== undefined) isComplete = false;
  }
  return { inputs: Object.fromEntries(values), isComplete };
}

/** The value without marks of secrets: the SDK removes only the outer one of two. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== "object" || value === null) return value;
  if (pulumi.runtime.isRpcSecret(value)) return withoutMarks(pulumi.runtime.unwrapRpcSecret(value));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutMarks(each)]));
}

/**
 * The arguments in which a transformation or transform may have added a secret: the engine marks a whole argument as
 * secret, and the program gave no secret in it, or another value. The provider's process does not even get this mark.
 */
async function addedSecrets(
  declared: Readonly<Record<string, ReadableOutput>>,
  given: NonNullable<Tracked["given"]>,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const added: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if ((await declared[key]?.isSecret) !== true) continue;
    const before = pulumi.output(given[key]) as unknown as ReadableOutput;
    if (!(await before.isSecret) || !isDeepStrictEqual(await before.promise(), value)) added.push(key);
  }
  return added;
}
