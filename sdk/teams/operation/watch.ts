import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation";
import { noteIn } from "../../../provider/lifecycle/notes/notes";
import type { Counts, EngineMessage } from "./message";
import { kindNameIn } from "../../../provider/protocol";
import { type EnginePreview, type EngineState, masked } from "../../engine/preview";
import { isAddition, messageLine, resourceLabel, stackPlace } from "../../engine/words";

/** The engine's steps as a reader counts them. The engine's internal steps are not listed. */
const meanings: Partial<Record<OpType, keyof Counts>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
  same: "same",
};

/** Follows one operation on one stack. */
export class Watch {
  readonly counts = { create: 0, update: 0, delete: 0, same: 0 };
  /** Objects that exist without being in state, and are adopted. */
  adopted = 0;
  /** Whether an update would change anything, in the service or in the state. */
  hasChanges = false;
  /** The first step that could not be repeated if the state of this operation were lost. */
  obstacle: string | undefined;
  readonly #errors: { readonly text: string; readonly place: string }[] = [];

  /** @param tell receives every changed resource, every warning and every error. */
  constructor(private readonly tell: (told: EngineMessage) => void) {}

  /** The error, in one line; undefined if the engine named none. */
  get reason(): string | undefined {
    const [first, ...more] = this.#errors;
    if (first === undefined) return undefined;
    return `${first.text}${first.place}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
  }

  /** Debug events are passed over: the SDK writes secrets into them. */
  see({ resOutputsEvent, diagnosticEvent }: EngineEvent): void {
    if (resOutputsEvent !== undefined) this.#count(resOutputsEvent.metadata);
    if (diagnosticEvent === undefined) return;
    const { severity, message, urn } = diagnosticEvent;
    if (severity === "error") return this.fail(message, urn);
    const { text, code } = noteIn(message);
    if (severity === "warning") this.tell({ type: "warning", text: messageLine(text, urn) });
    if (code === "adopts" || code === "adopts-identical") this.adopted++;
  }

  /** Compares what an update records of unchanged resources too. @param text What `pulumi preview --json` prints. */
  seeDigest(text: string): void {
    const { steps } = JSON.parse(text) as EnginePreview;
    this.hasChanges ||= steps.some(({ oldState, newState }) => recordOf(oldState) !== recordOf(newState));
  }

  fail(message: string, urn?: string, place = stackPlace(message)): void {
    const text = messageLine(message, urn);
    // An exception in a program is reported more than once, and the SDK adds that there were errors.
    if (this.#errors.some((known) => text.endsWith(known.text) || isAddition(text))) return;
    this.#errors.push({ text, place });
    this.tell({ type: "error", text: text + place });
  }

  #count(step: StepEventMetadata): void {
    const { op, type, urn } = step;
    this.hasChanges ||= op !== "same" || mayChangeOutputs(step);
    this.obstacle ??= obstacleOf(step);
    const effect = meanings[op];
    // Stacks and providers are resources to the engine, not to a reader.
    if (effect === undefined || type.startsWith("pulumi:")) return;
    this.counts[effect]++;
    if (effect !== "same") this.tell({ type: "resource", action: effect, resource: resourceLabel(urn) });
  }
}

/** What a preview shows of one side only, and what is no reason for an update. State keeps no aliases. */
const ignored = ["id", "outputs", "created", "modified", "sourcePosition", "stackTrace", "aliases"];

/** What state records of a resource besides its outputs, such as its options. Dependencies come in any order. */
const recordOf = (state: EngineState = {}) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(state).filter(([key]) => !ignored.includes(key))),
    (_, value: unknown) => (Array.isArray(value) ? [...value].sort() : value),
  );

/** Outputs of a stack or component are saved by an update, though that is no step. A secret one shows no value. */
const mayChangeOutputs = ({ old, new: state }: StepEventMetadata): boolean =>
  state?.custom === false &&
  (!isDeepStrictEqual(old?.outputs, state.outputs) || JSON.stringify(state.outputs ?? {}).includes(masked));

/** A new object of ours can be found by its slug after a lost state. Other providers' objects and changes can't. */
function obstacleOf({ op, type, urn, new: state }: StepEventMetadata): string | undefined {
  if (op === "same" || op === "read" || type.startsWith("pulumi:")) return undefined;
  if (op !== "create") return `it also has to ${meanings[op] ?? op} ${resourceLabel(urn)}`;
  return state?.custom === true && kindNameIn(type) === undefined ? `it also creates ${type}` : undefined;
}
