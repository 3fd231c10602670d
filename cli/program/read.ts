import { isMissingOperation } from "../../provider/client/failures";
import type { Found } from "../../provider/client/lists";
import { ApiError } from "../../provider/client/errors";
import { explain } from "../../provider/lifecycle/notes/explain";
import type { Session } from "../../provider/lifecycle/session";
import { Target } from "../../provider/lifecycle/objects/target";
import type { Kind } from "../../provider/schema/kind";
import { nearest } from "../../provider/base/nearest";
import { fromWire } from "../../provider/wire/codec";
import { entries, type JsonObject } from "../../provider/wire/json";
import { carriedPart } from "./carried";
import type { Output } from "../output/output";
import { objectUnder } from "../pulumi/service";

/** Which objects are wanted; without a list, all. */
export interface ObjectFilter {
  readonly slug?: readonly string[];
  readonly name?: readonly string[];
  readonly label?: readonly (readonly [key: string, value: string])[];
}

/** An object on the wire, and the same in the arguments' spelling. */
export interface Live {
  readonly kind: Kind;
  readonly object: JsonObject;
  readonly args: JsonObject;
  /** The parts that Pulumi can't pass on, each a clause. */
  readonly told: readonly string[];
}

interface ReadKind {
  readonly objects: readonly Live[];
  /** All objects of this kind that were read, including those that are not imported. */
  readonly seen: readonly JsonObject[];
  /** Why the service cannot show all objects of this kind. */
  readonly gap?: string;
}

/** The wanted objects of each kind. */
export function readKinds(run: Session, kinds: readonly Kind[], filter: ObjectFilter, output: Output) {
  let count = 0;
  const onPage = (more: number) => output.progress(`reading: ${(count += more)} objects`);
  return Promise.all(kinds.map((kind) => readKind(run, kind, filter, onPage)));
}

/** The wanted objects of one kind: from its list, or by their slugs if this token or service can't list them. */
async function readKind(
  run: Session,
  kind: Kind,
  filter: ObjectFilter,
  onPage: (count: number) => void,
): Promise<ReadKind> {
  const objects: Live[] = [];
  const seen: JsonObject[] = [];
  const keep = (found: readonly Found[]) => {
    for (const { object } of found) {
      const { args, told } = carriedPart(fromWire(kind.root, object));
      seen.push(args);
      if (isWanted(kind, args, filter)) objects.push({ kind, object: carriedPart(object).args, args, told });
    }
    onPage(found.length);
  };
  try {
    if (kind.isSingleton) keep(await objectUnder(run, kind, kind.singletonId));
    else for await (const page of run.client.reader.pages(kind)) keep(page);
    return { objects, seen };
  } catch (error) {
    const obstacle = obstacleIn(error);
    if (obstacle === undefined) throw explain(`list ${kind.manyTitle}`, error, new Target(run, kind, {}, ""));
    const gap = kind.isSingleton
      ? `${whoCannot[obstacle]} read the ${kind.title}. ${remedies[obstacle]}`
      : await readByPath(run, kind, filter, keep, obstacle);
    return { objects, seen, ...(gap === undefined ? {} : { gap }) };
  }
}

/** Why one kind can't be read: the service lacks the operation, or the token lacks the permission. */
type Obstacle = "missing" | "forbidden";

const obstacleIn = (error: unknown): Obstacle | undefined =>
  isMissingOperation(error) ? "missing" : error instanceof ApiError && error.status === 403 ? "forbidden" : undefined;

const whoCannot = { missing: "this service can't", forbidden: "this token can't" } as const;
const remedies = {
  missing: "Declare existing objects by hand, with the option adopt: true",
  forbidden: "Use a token with this permission",
} as const;

/** @returns why objects may be missing, and what to do about it. */
async function readByPath(
  run: Session,
  kind: Kind,
  { slug: slugs = [] }: ObjectFilter,
  keep: (found: readonly Found[]) => void,
  obstacle: Obstacle,
): Promise<string | undefined> {
  // Try whether the service shows single objects, before the message recommends naming them.
  for (const slug of slugs.length === 0 ? [absentSlug] : slugs) {
    try {
      keep(await objectUnder(run, kind, slug));
    } catch (error) {
      const second = obstacleIn(error);
      if (second === undefined) {
        throw explain(`read ${kind.title} "${slug}"`, error, new Target(run, kind, {}, slug));
      }
      const each = second === obstacle ? "" : `, and ${whoCannot[second]} read a single one`;
      return `${whoCannot[obstacle]} list ${kind.manyTitle}${each}. ${remedies[second]}`;
    }
  }
  if (slugs.length > 0) return undefined;
  const other = obstacle === "forbidden" ? "Use a token with this permission, or name" : "Name";
  return `${whoCannot[obstacle]} list ${kind.manyTitle}. ${other} each object with --kind ${kind.name} --slug <slug>`;
}

/** A slug without an object, to try whether the service shows single objects. */
const absentSlug = "pulumi-observability-import";

/** A message for each slug or name in the options that no object has. */
export function unmatched(read: readonly ReadKind[], filter: ObjectFilter): readonly string[] {
  const found = read.flatMap(({ objects }) => objects.map(({ args }) => args));
  const seen = read.flatMap((each) => each.seen);
  const lacking = (what: "slug" | "name") =>
    (filter[what] ?? [])
      .filter((text) => !found.some((args) => args[what] === text))
      .map((text) => {
        const isThere = seen.some((args) => args[what] === text);
        const near = nearest(text, [...new Set(seen.map((args) => String(args[what] ?? "")))]);
        const hint = isThere ? "; the other options exclude it" : near === undefined ? "" : `; did you mean "${near}"?`;
        return `no object for --${what} "${text}"${hint}`;
      });
  return [...lacking("slug"), ...lacking("name")];
}

function isWanted(kind: Kind, args: JsonObject, { slug, name, label = [] }: ObjectFilter): boolean {
  const isOneOf = (wanted: readonly unknown[] | undefined, value: unknown) => wanted?.includes(value) ?? true;
  return (
    isOneOf(slug, kind.isSingleton ? kind.singletonId : args.slug) &&
    isOneOf(name, args.name) &&
    label.every(([key, value]) => entries(args.labels)[key] === value)
  );
}
