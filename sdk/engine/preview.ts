import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";

/** The engine's report on one preview, in the form that `pulumi preview --json` prints. */
export interface EnginePreview {
  /** The stack's config. */
  readonly config?: Readonly<Record<string, string>>;
  readonly steps: readonly EngineStep[];
  readonly diagnostics: readonly { readonly urn?: string; readonly message: string; readonly severity: string }[];
  /** How many resources have each operation, also those that are not among the steps. */
  readonly changeSummary?: Readonly<Record<string, number>>;
}

export interface EngineStep {
  readonly op: string;
  readonly urn: string;
  /** The URN of the provider, and its id. */
  readonly provider?: string;
  readonly oldState?: EngineState;
  readonly newState?: EngineState;
  /** The places that differ; null if the engine reports none. */
  readonly detailedDiff?: Readonly<Record<string, object>> | null;
}

/** The parts of a resource's state that are read. */
export interface EngineState {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Absent in a preview of a new object. */
  readonly id?: string;
  /** The option `import`. The engine's events lack it. */
  readonly importID?: string;
  /** The step's provider may be another one: a resource may change its provider. */
  readonly provider?: string;
  readonly retainOnDelete?: boolean;
  /** Whether the program only reads it, by `.get`. */
  readonly external?: boolean;
  readonly additionalSecretOutputs?: readonly string[];
  readonly ignoreChanges?: readonly string[];
  /** Whether the old object is deleted before the new one is created. */
  readonly pendingReplacement?: boolean;
}

/** The engine's placeholder for a secret. A list that contains one is masked as a whole. */
export const masked = "[secret]";

const severities: readonly string[] = ["info", "info#err", "warning", "error"];

/** Keeps the contents of a preview's events. */
export class PreviewRecord implements EnginePreview {
  readonly steps: EngineStep[] = [];
  readonly diagnostics: EnginePreview["diagnostics"][number][] = [];

  /** Debug events are passed over: the SDK writes secrets into them. */
  see({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: EngineEvent): void {
    const { metadata } = resourcePreEvent ?? resOutputsEvent ?? {};
    // The id of an imported object is known once it was read.
    const isComplete = metadata?.op.startsWith("import") === (resOutputsEvent !== undefined);
    if (metadata !== undefined && isComplete) this.steps.push(stepOfEvent(metadata));
    if (diagnosticEvent === undefined || !severities.includes(diagnosticEvent.severity)) return;
    const { urn, severity, message } = diagnosticEvent;
    this.diagnostics.push({ ...(urn ? { urn } : {}), severity, message });
  }
}

function stepOfEvent({ op, urn, provider, old, new: now, detailedDiff }: StepEventMetadata): EngineStep {
  // The events do not show it for a state. What turned from managed to read has an operation of its own.
  const external = op === "read";
  return {
    op,
    urn,
    provider,
    ...(old && { oldState: { ...old, external } }),
    ...(now && { newState: { ...now, external } }),
    detailedDiff: detailedDiff ?? null,
  };
}
