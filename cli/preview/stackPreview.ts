import { settingTexts } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import { type NoteCode, noteIn } from "../../provider/lifecycle/notes/notes";
import { editsKey, kindNameIn } from "../../provider/protocol";
import type { Kind } from "../../provider/schema/kind";
import { namespace } from "../../provider/schema/names";
import type { Path } from "../../provider/schema/walk";
import { shownPart } from "../../provider/values/differences";
import { grouped } from "../../provider/base/grouped";
import { copyAt, pathFrom } from "../../provider/values/ignored";
import { unknownPaths } from "../../provider/values/unknown";
import { isObject, items, type JsonObject, withoutAbsent } from "../../provider/wire/json";
import { type OwnedObjects, ownedObjectsOf } from "../../sdk/engine/ownedObjects";
import { objectsOf, type StepObjects } from "../../sdk/engine/objects";
import { type EnginePreview, type EngineState, type EngineStep, masked } from "../../sdk/engine/preview";
import { urnParts } from "../../sdk/engine/urn";
import { isAddition, messageLine } from "../../sdk/engine/words";
import { isEquivalentInReview } from "../meaning/normalForm";
import { isHidden, shownAt, type SecretPlaces, secretPlaces, uniquePaths } from "../meaning/hidden";

/** The operations of changes. Others, such as `read` and `create-replacement`, change nothing that these don't report. */
const opTypes = ["create", "update", "replace", "delete", "same"] as const;
export type OpType = (typeof opTypes)[number];

/** A resource of this package in a preview. Secrets are `[secret]`; unknown values are the engine's placeholder. */
export interface Change extends SecretPlaces, Resource {
  /** The slug; the fixed id of a singleton; undefined if it is known only after the update. */
  readonly slug: string | undefined;
  /** The object that the resource has, and the one that it declares. */
  readonly objects: StepObjects;
  readonly op: OpType;
  /** The recorded arguments: those of the last update. Undefined for a new resource. */
  readonly before: JsonObject | undefined;
  /** The declared arguments. Undefined for a resource that the program no longer declares. */
  readonly after: JsonObject | undefined;
  /** Set if a refresh found a difference from the recorded arguments. */
  readonly drift: Drift | undefined;
  /** The places whose changes the program ignores (`ignoreChanges`): there it declares what the service has. */
  readonly ignored: readonly Path[];
  /** The places whose values are known only after the update. */
  readonly unknowns: readonly Path[];
  /** Whether the service keeps the object if the resource is deleted or replaced (`retainOnDelete`). */
  readonly isRetained: boolean;
  /** Whether a replacement begins with the delete of the object (`deleteBeforeReplace`). */
  readonly isDeletedFirst: boolean;
  /** Whether the program managed the object, and only reads it from now on (`.get`): it counts as deleted and retained. */
  readonly isOnlyRead: boolean;
  /** Whether the resource adopts its object (`import`). */
  readonly isImported?: boolean;
}

interface Drift {
  /** The object in the service; undefined if it was deleted. */
  readonly actual: JsonObject | undefined;
  /** The edited places whose values the engine masks. */
  readonly secrets: readonly Path[];
}

/** A message of the engine, the program or the provider. */
export interface PreviewMessage {
  readonly severity: "error" | "warning" | "info";
  /** The resource of this package that it is about, if the engine names one. */
  readonly about: Resource | undefined;
  readonly text: string;
  /** The code of a note that the provider sent. */
  readonly code?: NoteCode | undefined;
}

interface Resource {
  /** Unlike the name, which resources of two components may share, it is unique to the resource. */
  readonly urn: string;
  readonly kind: Kind;
  /** The Pulumi name. */
  readonly name: string;
}

/** The preview of one stack. */
export interface StackPreview {
  /** `project/stack` */
  readonly stack: string;
  readonly changes: readonly Change[];
  /** Resources of other packages: only that they change. */
  readonly others: readonly Readonly<Record<"type" | "name" | "op", string>>[];
  readonly messages: readonly PreviewMessage[];
  /** To compare with other stacks; absent if the preview did not start. */
  readonly ownedObjects?: OwnedObjects;
  /** Whether the preview failed: the changes are then those found before the failure. */
  readonly isFailed: boolean;
  /** Whether unchanged resources are left out (no `--show-sames`). */
  readonly isPartial?: boolean;
}

/**
 * @param stack The name to use if the digest names no resource of the stack.
 * @param environment That of the preview; empty if it is not known.
 */
export function stackPreviewOf(
  { config, steps, diagnostics, changeSummary }: EnginePreview,
  stack: string,
  environment: NodeJS.ProcessEnv = {},
): StackPreview {
  const baseUrl = settingTexts((name) => config?.[`${namespace}:${name}`], environment)("baseUrl");
  const recorded = new Map(steps.flatMap((each) => (each.op === "refresh" ? [[each.urn, each] as const] : [])));
  const planned = steps.filter(({ op, urn }) => op !== "refresh" && !isStack(urn));
  const stepsOf = grouped(planned, ({ urn }) => urn);
  const objectsIn = objectsOf(steps, baseUrl);
  const messages = withoutInterruption(diagnostics).map(({ urn, message, severity }): PreviewMessage => {
    const level = severity.startsWith("info") ? "info" : severity === "error" ? "error" : "warning";
    const about = urn === undefined ? undefined : resourceOf(urn);
    return { severity: level, about, ...noteIn(messageText(message)) };
  });
  const errors = messages.filter(({ severity }) => severity === "error");
  const isBare = errors.every(({ text }) => isAddition(text));
  // The SDK repeats an exception in a program without its stack.
  const isRepeated = (text: string) =>
    errors.some((each) => each.text !== text && messageLine(each.text, undefined) === text);
  return {
    stack: [...steps, ...diagnostics].flatMap(({ urn }) => (urn === undefined ? [] : [stackOf(urn)]))[0] ?? stack,
    changes: planned.flatMap((step) => {
      const resource = resourceOf(step.urn);
      const isAmong = (wanted: string) => stepsOf.get(step.urn)?.some(({ op }) => op === wanted) === true;
      // An update follows the import of an object with other values.
      const isCreate = step.op === "import" && !isAmong("update");
      const op = isOnlyRead(step) ? "delete" : isCreate ? "create" : step.op;
      if (resource === undefined || !isOpType(op)) return [];
      const isImported = isAmong("import") || isAmong("import-replacement");
      return [{ ...changeOf(step, op, resource, recorded, objectsIn(step)), isImported }];
    }),
    others: planned.flatMap(({ op, urn }) => {
      const { type, name } = urnParts(urn);
      const counts = resourceOf(urn) === undefined && op !== "same" && !type.startsWith("pulumi:");
      return counts ? [{ op, type, name }] : [];
    }),
    messages: messages.filter(({ text }) => text !== "" && (isBare || !isAddition(text)) && !isRepeated(text)),
    ownedObjects: ownedObjectsOf(steps, baseUrl),
    isFailed: errors.length > 0,
    isPartial: (changeSummary?.same ?? 0) > steps.filter(({ op }) => op === "same").length,
  };
}

/**
 * The change of each resource. An object that a replacement has left behind is deleted under the URN of its successor: that
 * is no change of the resource.
 */
export function changeByUrn(changes: readonly Change[]): ReadonlyMap<string, Change> {
  const found = new Map<string, Change>();
  for (const change of changes) {
    if (change.after !== undefined || !found.has(change.urn)) found.set(change.urn, change);
  }
  return found;
}

/** A declaration or an edited object without the edits of places that the program ignores. */
export const withoutIgnoredEdits = ({ before, ignored }: Change, edited: JsonObject): JsonObject =>
  ignored.reduce((value, path) => copyAt(value, before, path) as JsonObject, edited); // an object stays one

/** A preview with the reason of its failure. */
export const withFailure = (preview: StackPreview, text: string): StackPreview => ({
  ...preview,
  messages: [...preview.messages, { severity: "error", about: undefined, text }],
  isFailed: true,
});

/** A failed preview of which only the reason is known. */
export const failedPreview = (stack: string, text: string): StackPreview =>
  withFailure({ stack, changes: [], others: [], messages: [], isFailed: true }, text);

function changeOf(
  step: EngineStep,
  op: OpType,
  resource: Resource,
  recorded: ReadonlyMap<string, EngineStep>,
  objects: StepObjects,
): Change {
  const { kind } = resource;
  const [old, after] = [inputsOf(step.oldState), op === "delete" ? undefined : inputsOf(step.newState)];
  // After a refresh the engine compares with what the service has; the refresh step contains what was recorded.
  const refreshed = recorded.get(step.urn);
  const before = refreshed === undefined ? old : inputsOf(refreshed.oldState);
  const drift = refreshed && before && driftOf(kind, before, step);
  const secretOutputs = secretOutputsOf(step.newState ?? step.oldState).map((name) => [name]);
  const paths = Object.keys(step.detailedDiff ?? {}).map((text) => shownPart(kind.root, pathFrom(text), secretOutputs));
  const places = step.detailedDiff ? uniquePaths(paths).filter(([first]) => !isOwn(first)) : undefined;
  const { slug } = objects[after === undefined ? "old" : "new"] ?? {};
  return {
    ...resource,
    slug: kind.isSingleton ? kind.singletonId : slug,
    objects,
    op,
    before,
    after,
    drift,
    ignored: (step.newState?.ignoreChanges ?? []).map(pathFrom),
    ...secretPlaces(old, after, op === "same" ? [] : places, drift?.secrets),
    unknowns: unknownPaths(after),
    isRetained: step.oldState?.retainOnDelete === true || isOnlyRead(step),
    isDeletedFirst: step.oldState?.pendingReplacement === true,
    isOnlyRead: isOnlyRead(step),
  };
}

/** The edits that the refresh of a resource found. The provider names the places: both sides of a secret look the same. */
function driftOf({ root }: Kind, before: JsonObject, { oldState }: EngineStep): Drift | undefined {
  const actual = inputsOf(oldState);
  const edits = uniquePaths(items(oldState?.outputs?.[editsKey]) as readonly Path[]); // as `read` writes them
  const secrets = edits.filter((path) => [before, actual].some((side) => isHidden(shownAt(side, path))));
  return secrets.length === 0 && isEquivalentInReview(root, before, actual) ? undefined : { actual, secrets };
}

const isOnlyRead = ({ op, oldState }: EngineStep) =>
  op.startsWith("read") && oldState !== undefined && oldState.external !== true;

const isOpType = (op: string): op is OpType => opTypes.some((each) => each === op);

/** Keys that the provider adds. */
const isOwn = (key: unknown) => String(key).startsWith("__");

function inputsOf(state: EngineState | undefined): JsonObject | undefined {
  if (!isObject(state?.inputs)) return undefined;
  const own = Object.entries(state.inputs).filter(([key]) => !isOwn(key));
  // The engine masks these among the outputs only.
  const secrets = secretOutputsOf(state);
  return withoutAbsent(Object.fromEntries(own.map(([key, value]) => [key, secrets.includes(key) ? masked : value])));
}

const secretOutputsOf = (state: EngineState | undefined) => state?.additionalSecretOutputs ?? [];

const isStack = (urn: string) => urnParts(urn).type === "pulumi:pulumi:Stack";

function stackOf(urn: string): string {
  const { stack, project } = urnParts(urn);
  return `${project}/${stack}`;
}

function resourceOf(urn: string): Resource | undefined {
  const { type, name } = urnParts(urn);
  const kind = kinds.find((each) => each.name === kindNameIn(type));
  return kind === undefined ? undefined : { urn, kind, name };
}

/** Without the lines that a Python program prints, one by one, when the engine interrupts it after an error. */
function withoutInterruption(diagnostics: EnginePreview["diagnostics"]): EnginePreview["diagnostics"] {
  const printed = diagnostics.filter(({ severity }) => severity === "info#err");
  const start = printed.findIndex(({ message }) => message.startsWith("Traceback (most recent call last):"));
  const end = printed.map(({ message }) => message.trim()).lastIndexOf("KeyboardInterrupt");
  const traceback = new Set(start === -1 ? [] : printed.slice(start, end + 1));
  return diagnostics.filter((each) => !traceback.has(each));
}

/** A message without the engine's prefix, terminal colors and stack lines of other packages. */
function messageText(message: string): string {
  return message
    .replace(/\u001b\[[0-9;]*m/g, "")
    .replace(/^(?:error|warning): /, "")
    .replace(/^\S+ resource '[^']*' has a problem: /, "")
    .split("\n")
    .filter((line) => !/^\s+at .*(?:node:|node_modules|@pulumi\/)/.test(line))
    .join("\n")
    .trim();
}
