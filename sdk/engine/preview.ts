import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { Absent, EngineState, EngineStep } from "./objects";

/** The engine's report on one preview, in the form that `pulumi preview --json` prints. Secrets are `[secret]`. */
export interface EnginePreview {
  readonly steps: readonly PreviewStep[];
  readonly diagnostics: readonly { readonly urn?: string; readonly message: string; readonly severity: string }[];
}

export interface PreviewStep extends Pick<EngineStep, "op" | "urn" | "provider"> {
  readonly oldState?: PreviewState;
  readonly newState?: PreviewState;
  readonly detailedDiff: Readonly<Record<string, object>> | null;
}

interface PreviewState extends EngineState {
  /** Whether the program only reads it. */
  readonly external: boolean;
}

const told: readonly string[] = ["info", "info#err", "warning", "error"];

/** Keeps the contents of a preview's events. */
export class Preview implements EnginePreview {
  readonly steps: PreviewStep[] = [];
  readonly diagnostics: { readonly urn?: string; readonly message: string; readonly severity: string }[] = [];

  /** Debug events are passed over: the SDK writes secrets into them. */
  see({ resourcePreEvent, diagnosticEvent }: EngineEvent): void {
    if (resourcePreEvent !== undefined) this.steps.push(stepOf(resourcePreEvent.metadata));
    if (diagnosticEvent === undefined || !told.includes(diagnosticEvent.severity)) return;
    const { urn, severity, message } = diagnosticEvent;
    this.diagnostics.push({ ...(urn ? { urn } : {}), severity, message });
  }
}

function stepOf({ op, urn, provider, old, new: state, detailedDiff }: StepEventMetadata): PreviewStep {
  // The events do not show it for a state. What turned from managed to read has an operation of its own.
  const external = op === "read";
  const stateOf = (each: EngineState | Absent) => (each ? { ...each, external } : undefined);
  const [oldState, newState] = [stateOf(old), stateOf(state)];
  return {
    op,
    urn,
    provider,
    ...(oldState && { oldState }),
    ...(newState && { newState }),
    detailedDiff: detailedDiff ?? null,
  };
}
