import { type ApiError, type Problem } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import type { Field } from "../schema/field";
import type { Kind } from "../schema/kind";
import { formatPath, type Path } from "../schema/walk";
import { fromWirePath, fromWireWords, isObject, type JsonObject, objectToWire } from "../wire/codec";
import { adoptOf, assertAdoptable, takenBy } from "./adoption";
import {
  dryRunPut,
  explainMissing,
  find,
  isMissingOperation,
  isOutage,
  isRefusal,
  isTaken,
  type Standing,
} from "./existence";
import { cut, explain, oneLine, strike } from "./explain";
import { items } from "./meaning";
import { type Run, titleOf, type Verdict } from "./run";

const accepted: Verdict = { failures: [], warnings: [] };

/**
 * What the service says of a new or changed declaration, by dry run of the very request that create or update would send.
 * @param creation Absent where an existing object is updated.
 * @param before What it was, whose secrets the service may echo.
 */
export function validate(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  creation?: { readonly replaces: boolean },
  before: JsonObject = {},
): Promise<Verdict> {
  return run.judge([kind.name, creation, wanted], () =>
    creation ? validateCreate(run, kind, slug, wanted, creation) : validateUpdate(run, kind, slug, wanted, before),
  );
}

async function validateUpdate(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  before: JsonObject,
): Promise<Verdict> {
  return verdict(run, kind, slug, [wanted, before], () =>
    dryRunPut(run, kind, slug, wanted, { createIfMissing: true }),
  );
}

/**
 * Asks also whether the slug is free.
 * @param replaces Whether the object under the slug may be the resource itself, which is being replaced.
 */
async function validateCreate(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  { replaces }: { readonly replaces: boolean },
): Promise<Verdict> {
  return verdict(run, kind, slug, [wanted], async () => {
    if (kind.createsByPut) {
      if (!(await isTaken(run, kind, slug, wanted))) {
        await dryRunPut(run, kind, slug, wanted, { createIfMissing: true });
        return;
      }
      const existing = await takenBy(run, kind, slug, wanted);
      // The probe was a dry run of the very update that would take it over.
      if (existing.state !== "absent") assertFree(run, kind, slug, wanted, existing, replaces);
      return;
    }
    try {
      await run.client.post(kind, objectToWire(kind.root, wanted), { dryRun: true });
    } catch (error) {
      if (!mayBeTaken(error)) throw error;
      // A look-up that fails must not hide what the service said.
      const existing = await find(run, kind, slug, wanted).catch(() => {
        throw error;
      });
      if (existing.state === "absent") throw error;
      assertFree(run, kind, slug, wanted, existing, replaces);
      if (adoptOf(run, kind, slug) !== "identical") {
        await dryRunPut(run, kind, slug, wanted, { createIfMissing: true });
      }
    }
  });
}

/** A refusal that can mean that the slug is in use, or hide that it is: references are looked at before conflicts. */
export const mayBeTaken = (error: unknown) =>
  isRefusal(error) && !isMissingOperation(error) && error.serviceCode !== serviceCodes.invalid;

function assertFree(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  existing: Standing,
  replaces: boolean,
): void {
  if (replaces && adoptOf(run, kind, slug) === false && run.context(kind, slug).deleteBeforeReplace === true) {
    run.noteOnce(`${titleOf(kind, slug)} exists: taken to be the one that deleteBeforeReplace removes first`);
  } else {
    assertAdoptable(run, kind, slug, wanted, existing);
  }
}

async function verdict(
  run: Run,
  kind: Kind,
  slug: string,
  objects: readonly [wanted: JsonObject, before?: JsonObject],
  ask: () => Promise<void>,
): Promise<Verdict> {
  const title = titleOf(kind, slug);
  try {
    await ask();
    return accepted;
  } catch (error) {
    const told = explain(`validate ${title}`, await explainMissing(run, kind, error), run, kind, ...objects).message;
    if (isRefusal(error) && !isMissingOperation(error)) {
      const planned = plannedReferences(run, kind, objects[0]);
      const isUnknownReference = error.serviceCode === serviceCodes.unknownReference;
      // What refers to an object of this very run cannot be judged before that object is there.
      if (planned.length > 0 && !isUnknownReference && error.serviceCode !== serviceCodes.invalid) {
        return { failures: [], warnings: [told] };
      }
      const open = isUnknownReference
        ? error.problems.filter(({ path }) => !planned.includes(fromWirePath(kind.root, path)))
        : error.problems;
      if (error.problems.length > 0) {
        return { failures: open.map((problem) => problemText(run, kind, error, objects, problem)), warnings: [] };
      }
    }
    return { failures: [told], warnings: [], isOutage: isOutage(error) };
  }
}

const longestProblem = 500;

function problemText(
  run: Run,
  kind: Kind,
  error: ApiError,
  objects: readonly unknown[],
  { path, message }: Problem,
): string {
  // Struck first: no spelling of ours may hide a secret's own.
  const place = fromWirePath(kind.root, oneLine(strike(path, run, kind, ...objects)));
  const hint =
    error.serviceCode === serviceCodes.unknownReference
      ? "; where it is a resource of this program, pass its slug output instead of a text"
      : "";
  const words = fromWireWords(kind.args, cut(oneLine(strike(message, run, kind, ...objects)), longestProblem));
  return `${place === "" ? "" : `${place}: `}${words}${hint}`;
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
