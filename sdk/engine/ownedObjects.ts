import { append } from "../../provider/base/grouped";
import {
  doubtText,
  objectsOf,
  type Sameness,
  sameness,
  samenessWithin,
  type ServiceObject,
  type StackObject,
} from "./objects";
import type { EngineStep } from "./preview";
import { urnParts } from "./urn";

/** The objects in the preview of one stack. Contains no secret. */
export interface OwnedObjects {
  /**
   * What the program declares, unchanged objects too, by the URL of their service, each with its recorded creation
   * time: `{ "https://…": { "Monitor errors": "2026-01-31T08:00:00.123Z" } }`. The URL is `""` if the preview does not
   * show it, and so is the time of a new object.
   */
  readonly declared: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Objects that the program no longer declares. */
  readonly dropped: readonly Dropped[];
}

export interface Dropped extends ServiceObject {
  /** The Pulumi name of the resource. */
  readonly name: string;
  /** Set if the object stays in the service (`retainOnDelete`); otherwise the update deletes it. */
  readonly isRetained?: true;
}

const declaring = ["same", "create", "update", "replace", "create-replacement", "import", "import-replacement"];
const dropping = ["delete", "replace", "delete-replaced"];

/** @param baseUrl The setting of the stack, which applies to the default provider. */
export function ownedObjectsOf(steps: readonly EngineStep[], baseUrl: string | undefined): OwnedObjects {
  const objectsIn = objectsOf(steps, baseUrl);
  const found = steps.map((step) => ({ step, ...objectsIn(step) }));
  const kept = found.flatMap((each) => (declaring.includes(each.step.op) && each.new ? [each.new] : []));
  const declared: Record<string, Record<string, string>> = {};
  for (const object of kept) {
    const own = (declared[object.service] ??= {});
    own[objectKey(object)] = object.createdAt ?? own[objectKey(object)] ?? "";
  }
  const dropped = found.flatMap(({ step, old }): readonly Dropped[] => {
    if (!dropping.includes(step.op) || old === undefined) return [];
    // A replacement has one or several steps. The provider does not delete what its own program declares.
    if (kept.some((object) => samenessWithin(old, object) === "same")) return [];
    const { provider: _, ...object } = old satisfies StackObject;
    const isRetained = step.oldState?.retainOnDelete === true;
    return [{ ...object, name: urnParts(step.urn).name, ...(isRetained ? { isRetained } : {}) }];
  });
  const once = new Map(dropped.map((each) => [`${each.service} ${objectKey(each)} ${each.createdAt ?? ""}`, each]));
  return { declared, dropped: [...once.values()] };
}

const objectKey = ({ kind, slug }: ServiceObject) => (slug === "" ? kind : `${kind} ${slug}`);

/** An object that one stack drops and another one declares. */
export interface Conflict<T> {
  readonly dropping: T;
  readonly object: Dropped;
  readonly declaring: T;
  readonly declared: ServiceObject;
  /** Whether both mean the same object, which may be unknown. */
  readonly sameness: Exclude<Sameness, "other">;
}

interface Held<T> {
  readonly stack: T;
  readonly object: ServiceObject;
  /** Whether the stack has the object, and no longer declares it. */
  readonly isDropped: boolean;
}

interface WithOwnedObjects {
  readonly ownedObjects?: OwnedObjects | undefined;
}

/** The objects of all stacks with this kind and slug, in any service. */
export function holdersIn<T extends WithOwnedObjects>(
  stacks: readonly T[],
): (object: ServiceObject) => readonly Held<T>[] {
  const held = new Map<string, Held<T>[]>();
  for (const stack of stacks) {
    const { declared = {}, dropped = [] } = stack.ownedObjects ?? {};
    for (const [service, objects] of Object.entries(declared)) {
      for (const [key, createdAt] of Object.entries(objects)) {
        const [kind = "", ...rest] = key.split(" ");
        const object = { kind, slug: rest.join(" "), service, ...(createdAt && { createdAt }) };
        append(held, key, { stack, object, isDropped: false });
      }
    }
    for (const object of dropped) append(held, objectKey(object), { stack, object, isDropped: true });
  }
  return (object) => held.get(objectKey(object)) ?? [];
}

/** Compares stacks that were previewed together. */
export function conflictsOf<T extends WithOwnedObjects>(stacks: readonly T[]): readonly Conflict<T>[] {
  const holders = holdersIn(stacks);
  return stacks.flatMap((stack) =>
    (stack.ownedObjects?.dropped ?? []).flatMap((object) =>
      holders(object).flatMap(({ stack: declaring, object: declared, isDropped }) => {
        if (isDropped) return [];
        const same = sameness(object, declared);
        return same === "other" || declaring === stack
          ? []
          : [{ dropping: stack, object, declaring, declared, sameness: same }];
      }),
    ),
  );
}

/** A sentence with the fate of the object, and the remedy. @param declaring The stack that declares it, in words. */
export function conflictText({ object, declared, sameness }: Conflict<unknown>, declaring: string): string {
  const what = `${object.kind}${object.slug === "" ? "" : ` ${JSON.stringify(object.slug)}`}`;
  const doubt = sameness === "same" ? "" : `; ${doubtText(object, declared)}`;
  if (object.isRetained) return `keeps ${what} in the service (retainOnDelete), which ${declaring} declares${doubt}`;
  return (
    `deletes ${what}, which ${declaring} declares${doubt}. Move it with "pulumi state move", or set ` +
    'retainOnDelete first; see "docs/organize.md#move-a-resource-from-one-stack-to-another"'
  );
}
