import type { EnginePreview, EngineStep } from "../../dist/sdk/engine/preview.js";
import type { Path } from "../../dist/provider/schema/walk.js";

type Inputs = Readonly<Record<string, unknown>>;

/** What a step of a preview says of one resource, beyond its name. */
export interface StepFacts {
  readonly op?: string;
  readonly before?: Inputs;
  readonly after?: Inputs;
  /** What the last update wrote, if a refresh has found something else. */
  readonly recorded?: Inputs;
  /** The paths of those edits. */
  readonly edits?: readonly Path[];
  /** The places of the engine's `detailedDiff`. */
  readonly places?: readonly string[];
  readonly retained?: boolean;
  /** The paths of `ignoreChanges`. */
  readonly ignored?: readonly string[];
  /** Whether a replacement deletes the recorded object before it creates the new one. */
  readonly deletedFirst?: boolean;
  /** The Pulumi name of the provider. */
  readonly provider?: string;
  /** The component that the resource is in. */
  readonly component?: string;
  /** When the recorded object was created. */
  readonly createdAt?: string;
}

const providerOf = (stack: string, name: string) =>
  `urn:pulumi:${stack}::project::pulumi:providers:pulumi-nodejs::${name}`;

/** An explicit provider, which asks the service at an address. */
export const providerStep = (name: string, baseUrl: string, stack = "dev"): readonly EngineStep[] => [
  { op: "same", urn: providerOf(stack, name), newState: { inputs: { "observability:baseUrl": baseUrl } } },
];

export const urnOf = (kind: string, name: string, stack = "dev", component?: string) =>
  `urn:pulumi:${stack}::project::${component === undefined ? "" : `team:${component}$`}pulumi-nodejs:dynamic/observability:${kind}::${name}`;

/** A step as `pulumi preview --json` prints it: two for a resource whose refresh has found something else. */
export function steps(kind: string, name: string, facts: StepFacts, stack = "dev"): readonly EngineStep[] {
  const { before, after, recorded, places, edits, retained = false, ignored, provider = "default", createdAt } = facts;
  const pending = facts.deletedFirst === true ? { pendingReplacement: true } : {};
  const op = facts.op ?? (before === undefined ? "create" : after === undefined ? "delete" : "update");
  const state = (inputs: Inputs) => ({
    inputs: { __provider: "text", ...inputs },
    outputs: { ...inputs, ...(createdAt === undefined ? {} : { createdAt }), ...(edits && { __edits: edits }) },
    retainOnDelete: retained,
    ...(ignored && { ignoreChanges: ignored }),
  });
  const urn = urnOf(kind, name, stack, facts.component);
  return [
    ...(recorded === undefined ? [] : [{ op: "refresh", urn, oldState: state(recorded), newState: state(recorded) }]),
    {
      op,
      urn,
      provider: `${providerOf(stack, provider)}::an-id`,
      ...(before === undefined ? {} : { oldState: { ...state(before), ...pending } }),
      ...(after === undefined ? {} : { newState: state(after) }),
      detailedDiff:
        places === undefined ? null : Object.fromEntries(places.map((place) => [place, { kind: "update" }])),
    },
  ];
}

/** The step of a monitor whose slug is its name, by its two sides. */
export function monitorStep(op: string, slug: string, before?: object, after?: object): EngineStep | undefined {
  const sides = { ...(before && { before: { slug, ...before } }), ...(after && { after: { slug, ...after } }) };
  return steps("Monitor", slug, { op, ...sides })[0];
}

export const digest = (
  all: readonly (readonly EngineStep[])[],
  diagnostics: EnginePreview["diagnostics"] = [],
  stack = "dev",
): EnginePreview => ({
  steps: [{ op: "same", urn: `urn:pulumi:${stack}::project::pulumi:pulumi:Stack::project-${stack}` }, ...all.flat()],
  diagnostics,
});
