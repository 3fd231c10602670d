import { ApiError, ObservabilityError, type Problem } from "../client/errors";
import { isAboutContent, serviceCodes } from "../client/serviceCodes";
import type { Field } from "../schema/field";
import type { Kind } from "../schema/kind";
import { formatPath, type Path } from "../schema/walk";
import { fromWirePath, fromWireWords, isObject, type JsonObject, toWire } from "../wire/codec";
import { adoptOf, assertAdoptable } from "./adoption";
import { type Existence, find, isMissingOperation, isRefusal } from "./existence";
import { explain, strike } from "./explain";
import { items } from "./meaning";
import { type Run, titleOf, type Verdict } from "./run";

const accepted: Verdict = { failures: [], warnings: [] };

/** Asks the service, by dry run, about the very request that the update of an existing object would send. */
export async function validateUpdate(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Verdict> {
  return verdict(run, kind, slug, wanted, async () => {
    await dryRunPut(run, kind, slug, wanted);
  });
}

/** Asks the service about the request that a create would send, and whether the slug is free. */
export async function validateCreate(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Verdict> {
  const { client } = run;
  const object = toWire(kind.root, wanted) as JsonObject; // an object's wire form is an object
  return verdict(run, kind, slug, wanted, async () => {
    if (kind.createsByPut) {
      if (await isTaken(run, kind, slug, wanted)) {
        // The probe was a dry run of the very update that would take it over.
        await validateTakeOver(run, kind, slug, wanted, { alreadyValidated: true });
      } else {
        await client.put(kind, slug, object, { dryRun: true, createIfMissing: true });
      }
      return;
    }
    try {
      await client.post(kind, object, { dryRun: true });
    } catch (error) {
      if (!isRefusal(error) || isMissingOperation(error) || isAboutContent(error.serviceCode)) throw error;
      const existing = await find(run, kind, slug, wanted);
      if (existing.state === "absent") throw error;
      await validateTakeOver(run, kind, slug, wanted, { existing });
    }
  });
}

/** Whether a PUT-created kind's slug is in use: a dry run that may not create succeeds only on an existing object. */
export async function isTaken(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<boolean> {
  try {
    const object = toWire(kind.root, wanted) as JsonObject; // as above
    await run.client.put(kind, slug, object, { dryRun: true, createIfMissing: false });
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

async function validateTakeOver(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  {
    existing,
    alreadyValidated = false,
  }: { existing?: Exclude<Existence, { state: "absent" }>; alreadyValidated?: boolean },
): Promise<void> {
  const { deleteBeforeReplace = false } = run.context(kind, slug);
  const adopt = adoptOf(run, kind, slug);
  if (adopt === false && deleteBeforeReplace) {
    run.noteOnce(`${titleOf(kind, slug)} exists: taken to be the one that deleteBeforeReplace removes first`);
  } else {
    assertAdoptable(run, kind, slug, wanted, existing ?? (await readable(run, kind, slug, wanted)));
  }
  if (!alreadyValidated && adopt !== "identical") await dryRunPut(run, kind, slug, wanted);
}

async function readable(run: Run, kind: Kind, slug: string, wanted: JsonObject) {
  // Only "identical" looks at the object itself.
  if (adoptOf(run, kind, slug) !== "identical") return { state: "unreadable" } as const;
  const existing = await find(run, kind, slug, wanted);
  return existing.state === "absent" ? ({ state: "unreadable" } as const) : existing;
}

async function dryRunPut(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<void> {
  const object = toWire(kind.root, wanted) as JsonObject; // as above
  await run.client.put(kind, slug, object, { dryRun: true, createIfMissing: true });
}

async function verdict(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  ask: () => Promise<void>,
): Promise<Verdict> {
  const title = titleOf(kind, slug);
  try {
    await ask();
    return accepted;
  } catch (error) {
    const told = explain(`validate ${title}`, explainMissing(kind, error), run, kind, wanted).message;
    if (isRefusal(error) && !isMissingOperation(error)) {
      const planned = plannedReferences(run, kind, wanted);
      const isUnknownReference = error.serviceCode === serviceCodes.unknownReference;
      // What refers to an object of this very run cannot be judged before that object is there.
      if (planned.length > 0 && !isUnknownReference && error.serviceCode !== serviceCodes.invalid) {
        return { failures: [], warnings: [told] };
      }
      const open = isUnknownReference
        ? error.problems.filter(({ path }) => !planned.includes(fromWirePath(kind.root, path)))
        : error.problems;
      if (error.problems.length > 0) {
        return { failures: open.map((problem) => problemText(run, kind, error, wanted, problem)), warnings: [] };
      }
    }
    return { failures: [told], warnings: [] };
  }
}

function problemText(run: Run, kind: Kind, error: ApiError, wanted: JsonObject, { path, message }: Problem): string {
  const place = fromWirePath(kind.root, path);
  const hint =
    error.serviceCode === serviceCodes.unknownReference
      ? "; where it is a resource of this program, pass its slug output instead of a text"
      : "";
  return strike(`${place === "" ? "" : `${place}: `}${fromWireWords(kind.args, message)}${hint}`, run, kind, wanted);
}

/** The places of slugs that this very run creates, so that the service cannot know them yet. */
function plannedReferences(run: Run, kind: Kind, wanted: JsonObject): string[] {
  const enter = (field: Field, value: unknown, path: Path): string[] =>
    field.visit<string[]>({
      scalar: ({ options: { refersTo } }) =>
        refersTo !== undefined && typeof value === "string" && run.isPlanned(refersTo, value) ? [formatPath(path)] : [],
      map: () => [],
      list: ({ item }) => items(value).flatMap((each, i) => enter(item, each, [...path, i])),
      object: ({ shape }) =>
        isObject(value)
          ? Object.entries(shape.fields).flatMap(([name, inner]) => enter(inner, value[name], [...path, name]))
          : [],
    });
  return enter(kind.root, wanted, []);
}

/** A write that this service does not have, in words; any other error as it is. */
export function explainMissing(kind: Kind, error: unknown): unknown {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  const verb = error.operation === kind.operations.create ? "creates" : "updates";
  return new ObservabilityError(
    "not_implemented",
    `this service has no operation that ${verb} a ${kind.title}, so such objects can only be read here, with ` +
      `${kind.name}.get: ${error.message}`,
    { cause: error },
  );
}
