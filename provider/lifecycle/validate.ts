import { type ApiError, type Problem } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import type { Field } from "../schema/field";
import type { Kind } from "../schema/kind";
import { formatPath, type Path } from "../schema/walk";
import { fromWirePath, fromWireWords, objectToWire } from "../wire/codec";
import { isObject } from "../wire/json";
import { type JsonObject } from "../wire/json";
import { adoptOf, differencesFrom, takenBy, takeOverOf } from "./adoption";
import { dryRunPut, explainMissing, find, isTaken, type Standing } from "./lookUp";
import { isOutage, mayBeTaken } from "../client/answers";
import { isMissingOperation } from "../client/answers";
import { isRefusal } from "../client/answers";
import { cut, explain, oneLine, strike } from "./explain";
import { items } from "../wire/json";
import { type Run, titleOf } from "./run";
import type { Verdict } from "../protocol";
import { unusualValues } from "../values/suggestions";

/** What is to be told beside failures. */
interface Said {
  readonly warnings: string[];
  readonly notes: string[];
}

/** How a declaration is created. */
export interface Creation {
  /** Whether the object under its slug may be its own, which is replaced by request ("--replace"). */
  readonly mayReplaceItself: boolean;
}

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
  creation?: Creation,
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
  return verdict(run, kind, slug, [wanted, before], async (said) => {
    try {
      await dryRunPut(run, kind, slug, wanted, { createIfMissing: false });
    } catch (error) {
      // The object is gone, or the operation is missing: then the same comes of the request that creates.
      if (!isRefusal(error) || error.status !== 404) throw error;
      await dryRunPut(run, kind, slug, wanted, { createIfMissing: true });
      said.warnings.push(`${titleOf(kind, slug)} is no longer at the service: the update creates it anew`);
    }
  });
}

/** Asks also whether the slug is free. */
async function validateCreate(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  creation: Creation,
): Promise<Verdict> {
  return verdict(run, kind, slug, [wanted], async (said) => {
    if (kind.createsByPut) {
      if (!(await isTaken(run, kind, slug, wanted))) {
        return dryRunPut(run, kind, slug, wanted, { createIfMissing: true });
      }
      const existing = await takenBy(run, kind, slug, wanted);
      // The probe was a dry run of the very update that would take it over.
      if (existing.state !== "absent") allowTaken(run, kind, slug, wanted, existing, creation, said);
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
      const writes = allowTaken(run, kind, slug, wanted, existing, creation, said);
      if (writes) await dryRunPut(run, kind, slug, wanted, { createIfMissing: true });
    }
  });
}

/**
 * Allows a create whose slug is in use, or throws; says what it does to the object.
 * @returns whether it writes the object.
 */
function allowTaken(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  existing: Standing,
  { mayReplaceItself }: Creation,
  said: Said,
): boolean {
  const replacesFirst = mayReplaceItself && run.context(kind, slug).deleteBeforeReplace === true;
  if (replacesFirst && adoptOf(run, kind, slug) === false && isLikelyOwn(run, kind, wanted, existing)) {
    said.warnings.push(`${titleOf(kind, slug)} exists: taken to be the one that deleteBeforeReplace removes first`);
    return true;
  }
  const { text, writes, overwrites } = takeOverOf(run, kind, slug, wanted, existing);
  (overwrites ? said.warnings : said.notes).push(text);
  return writes;
}

/** Whether an object may be the resource's own: it says what is declared, which a resource that is replaced did last. */
const isLikelyOwn = (run: Run, kind: Kind, wanted: JsonObject, existing: Standing) =>
  existing.state === "unreadable" ||
  differencesFrom(run, kind, wanted, existing.object).every(({ isMasked }) => isMasked);

async function verdict(
  run: Run,
  kind: Kind,
  slug: string,
  objects: readonly [wanted: JsonObject, before?: JsonObject],
  ask: (said: Said) => Promise<void>,
): Promise<Verdict> {
  const title = titleOf(kind, slug);
  const unusual = unusualValues(kind.root, objects[0], run.context(kind, slug).secrets);
  const warnings = unusual.map((text) => oneLine(strike(`${title}: ${text}`, run, kind, ...objects)));
  const said: Said = { warnings, notes: [] };
  try {
    await ask(said);
    return { failures: [], ...said };
  } catch (error) {
    const told = explain(`validate ${title}`, await explainMissing(run, kind, error), run, kind, ...objects).message;
    if (isRefusal(error) && !isMissingOperation(error)) {
      const planned = plannedReferences(run, kind, objects[0]);
      const isPlanned = ({ path }: Problem) => planned.includes(fromWirePath(kind.root, path));
      const isUnknownReference = error.serviceCode === serviceCodes.unknownReference;
      const isInvalid = error.serviceCode === serviceCodes.invalid;
      // The service cannot know an object of this very run yet.
      const open = isInvalid ? error.problems : error.problems.filter((problem) => !isPlanned(problem));
      const isUndecided = planned.length > 0 && !isUnknownReference && !isInvalid;
      if (isUndecided && open.length === 0) return { failures: [], ...said, warnings: [...said.warnings, told] };
      if (error.problems.length > 0) {
        return { failures: open.map((problem) => problemText(run, kind, error, objects, problem)), ...said };
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

/** The places of slugs that this very run writes, so that the service may not know them yet. */
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
