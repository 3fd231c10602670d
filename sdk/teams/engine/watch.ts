import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation";
import { noteKindOf } from "../../../provider/lifecycle/notes/notes";
import { type OwnedObjects, ownedObjectsOf } from "./ownedObjects";
import type { Counts, EngineMessage } from "./message";
import { kindNameIn } from "../../../provider/protocol";
import { isAddition, labelOf, textOf } from "./words";

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
  adopted = 0;
  hasChanges = false;
  /** The first step that could not be repeated if the state of this operation were lost. */
  obstacle: string | undefined;
  readonly #errors: string[] = [];
  readonly #steps: StepEventMetadata[] = [];

  /** @param tell receives every changed resource, every warning and every error. */
  constructor(private readonly tell: (told: EngineMessage) => void) {}

  /** @param baseUrl The setting of the stack. */
  ownedObjects(baseUrl: string | undefined): OwnedObjects {
    return ownedObjectsOf(this.#steps, baseUrl);
  }

  /** The error, in one line; undefined if the engine named none. */
  get reason(): string | undefined {
    const [first, ...more] = this.#errors;
    return first === undefined || more.length === 0 ? first : `${first} (and ${more.length} more)`;
  }

  /** Debug events are passed over: the SDK writes secrets into them. */
  see({ resOutputsEvent, diagnosticEvent }: EngineEvent): void {
    if (resOutputsEvent !== undefined) this.#count(resOutputsEvent.metadata);
    if (diagnosticEvent === undefined) return;
    const { severity, message, urn } = diagnosticEvent;
    if (severity === "error") this.fail(message, urn);
    else if (severity === "warning") this.tell({ type: "warning", text: textOf(message, urn) });
    if (severity !== "error" && noteKindOf(message)?.startsWith("adopts") === true) this.adopted++;
  }

  fail(message: string, urn?: string): void {
    const text = textOf(message, urn);
    // An exception in a program is reported more than once, and the SDK adds that there were errors.
    if (this.#errors.some((known) => text.endsWith(known) || isAddition(text))) return;
    this.#errors.push(text);
    this.tell({ type: "error", text });
  }

  #count(step: StepEventMetadata): void {
    const { op, type, urn } = step;
    this.hasChanges ||= op !== "same" || mayChangeOutputs(step);
    this.obstacle ??= obstacleOf(step);
    this.#steps.push(step);
    const effect = meanings[op];
    // Stacks and providers are resources to the engine, not to a reader.
    if (effect === undefined || type.startsWith("pulumi:")) return;
    this.counts[effect]++;
    if (effect !== "same") this.tell({ type: "resource", action: effect, resource: labelOf(urn) });
  }
}

/** Outputs of a stack or component are saved by an update, though that is no step. A secret one shows no value. */
const mayChangeOutputs = ({ old, new: state }: StepEventMetadata): boolean =>
  state?.custom === false &&
  (!isDeepStrictEqual(old?.outputs, state.outputs) || JSON.stringify(state.outputs ?? {}).includes("[secret]"));

/** A new object of ours can be found by its slug after a lost state. Other providers' objects and changes can't. */
function obstacleOf({ op, type, urn, new: state }: StepEventMetadata): string | undefined {
  if (op === "same" || op === "read" || type.startsWith("pulumi:")) return undefined;
  if (op !== "create") return `it also has to ${meanings[op] ?? op} ${labelOf(urn)}`;
  return state?.custom === true && kindNameIn(type) === undefined ? `it also creates ${type}` : undefined;
}
