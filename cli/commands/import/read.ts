import { isMissingOperation } from "../../../provider/client/answers";
import type { Found } from "../../../provider/client/client";
import { ApiError } from "../../../provider/client/errors";
import { serviceCodes } from "../../../provider/client/serviceCodes";
import { explain } from "../../../provider/lifecycle/explain";
import type { Run } from "../../../provider/lifecycle/run";
import { Target } from "../../../provider/lifecycle/target";
import type { Kind } from "../../../provider/schema/kind";
import { objectFromWire } from "../../../provider/wire/codec";
import { entries, type JsonObject } from "../../../provider/wire/json";
import { carriedPart } from "../../program/carried";

/** Which objects are wanted; an empty list wants all. */
export interface Filter {
  readonly slugs: readonly string[];
  readonly names: readonly string[];
  readonly labels: readonly (readonly [key: string, value: string])[];
}

/** An object on the wire, and the same in the arguments' spelling. */
export interface Live {
  readonly kind: Kind;
  readonly object: JsonObject;
  readonly args: JsonObject;
  /** What of it Pulumi cannot carry, each a clause. */
  readonly told: readonly string[];
}

export interface ReadKind {
  readonly objects: readonly Live[];
  /** Why the service cannot show all objects of this kind. */
  readonly gap?: string;
}

/** The wanted objects of one kind, from its list; if the service has none, by their slugs. */
export async function readKind(
  run: Run,
  kind: Kind,
  filter: Filter,
  onPage: (count: number) => void,
): Promise<ReadKind> {
  const objects: Live[] = [];
  const keep = (found: readonly Found[]) => {
    for (const { object } of found) {
      const { args, told } = carriedPart(objectFromWire(kind.root, object));
      if (isWanted(kind, args, filter)) objects.push({ kind, object: carriedPart(object).args, args, told });
    }
    onPage(found.length);
  };
  try {
    if (kind.isSingleton) {
      keep(await one(run, kind, kind.singletonId));
      return { objects };
    }
    for await (const page of run.client.pages(kind)) keep(page);
    return { objects };
  } catch (error) {
    if (!isMissingOperation(error)) throw explain(`list ${kind.manyTitle}`, error, new Target(run, kind, {}, ""));
    return byPath(run, kind, filter, keep, objects);
  }
}

async function byPath(
  run: Run,
  kind: Kind,
  { slugs }: Filter,
  keep: (found: readonly Found[]) => void,
  objects: readonly Live[],
): Promise<ReadKind> {
  const gap = kind.isSingleton
    ? `this service cannot show the ${kind.title}`
    : `this service cannot list ${kind.manyTitle}: name each with --kind ${kind.name} --slug <slug>`;
  if (kind.isSingleton || slugs.length === 0) return { objects, gap };
  for (const slug of slugs) {
    try {
      keep(await one(run, kind, slug));
    } catch (error) {
      if (!isMissingOperation(error))
        throw explain(`read ${kind.title} "${slug}"`, error, new Target(run, kind, {}, slug));
      return { objects, gap: `this service can neither list nor show ${kind.manyTitle}` };
    }
  }
  return { objects };
}

/** The object under a slug, if there is one. */
async function one(run: Run, kind: Kind, slug: string): Promise<Found[]> {
  try {
    return [await run.client.get(kind, slug, kind.family.get)];
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.status === 404 && error.isJson;
    if (isAbsent && error.operation.described) return [];
    if (isAbsent && error.serviceCode === serviceCodes.noSuchObject) return [];
    throw error;
  }
}

function isWanted(kind: Kind, args: JsonObject, { slugs, names, labels }: Filter): boolean {
  const isOneOf = (wanted: readonly string[], value: unknown) =>
    wanted.length === 0 || wanted.some((each) => each === value);
  return (
    isOneOf(slugs, kind.isSingleton ? kind.singletonId : args.slug) &&
    isOneOf(names, args.name) &&
    labels.every(([key, value]) => entries(args.labels)[key] === value)
  );
}
