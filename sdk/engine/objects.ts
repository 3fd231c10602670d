import { addressIn } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import { namespace } from "../../provider/schema/names";
import { isExact, isSameTime } from "../../provider/base/sameTime";
import { unknown } from "../../provider/values/unknown";
import { kindNameIn } from "../../provider/protocol";
import { type EngineState, type EngineStep, masked } from "./preview";
import { urnParts } from "./urn";

/** Identifies an object by its service, its kind and its slug. Contains no secret. */
export interface ServiceObject {
  /** The kind's name. */
  readonly kind: string;
  /** `""` for a kind of which a service has one object. */
  readonly slug: string;
  /** The URL of the service; `""` if the preview does not show it. */
  readonly service: string;
  /** When it was created, as the stack has recorded it; absent for a new one. */
  readonly createdAt?: string;
}

/** An object in one stack's preview. */
export interface StackObject extends ServiceObject {
  /** Of the stack: resources of one provider use the same service, whatever its URL is. */
  readonly provider: string;
}

/** The objects of a step's two sides; undefined for a side without one, and for a slug that the preview hides. */
export interface StepObjects {
  readonly old: StackObject | undefined;
  readonly new: StackObject | undefined;
}

/**
 * Returns the objects of each step.
 * @param baseUrl The setting of the stack, which applies to the default provider.
 */
export function objectsOf(
  steps: readonly EngineStep[],
  baseUrl: string | undefined,
): (step: EngineStep) => StepObjects {
  const providers = new Map([
    ...steps.map(({ urn, oldState }) => [urn, oldState] as const),
    ...steps.flatMap(({ urn, newState }) => (newState ? [[urn, newState] as const] : [])),
  ]);
  const objectIn = (step: EngineStep, state: EngineState | undefined, known: EngineState | undefined) => {
    const kind = kindNameIn(urnParts(step.urn).type);
    const slug = slugIn(state, kind);
    if (kind === undefined || slug === undefined) return undefined;
    const createdAt = slugIn(known, kind) === slug ? known?.outputs?.createdAt : undefined;
    return {
      kind,
      slug,
      ...reachedBy(state?.provider ?? step.provider ?? "", providers, baseUrl),
      ...(typeof createdAt === "string" && createdAt !== unknown ? { createdAt } : {}),
    };
  };
  return (step) => ({
    old: objectIn(step, step.oldState, step.oldState),
    // What the update keeps has the creation time that state records.
    new: objectIn(step, step.newState, ["same", "update"].includes(step.op) ? step.oldState : undefined),
  });
}

/** Undefined if there is no state, or if the preview hides the slug. */
function slugIn(state: EngineState | undefined, kind: string | undefined): string | undefined {
  if (!state) return undefined;
  if (kinds.some(({ name, isSingleton }) => name === kind && isSingleton)) return "";
  // A program that imports an object may leave its slug out.
  const slug = state.inputs?.slug ?? state.importID ?? state.id;
  return typeof slug === "string" && !["", unknown, masked].includes(slug) ? slug : undefined;
}

/** The service that a resource's provider uses. */
function reachedBy(
  reference: string,
  providers: ReadonlyMap<string, EngineState | undefined>,
  baseUrl: string | undefined,
): Pick<StackObject, "provider" | "service"> {
  const urn = reference.split("::").slice(0, -1).join("::");
  const inputs = providers.get(urn)?.inputs;
  // A default provider is never shown. An explicit one has the stack's settings among its inputs.
  const isDefault = inputs === undefined && urnParts(urn).name.startsWith("default");
  const text = inputs?.[`${namespace}:baseUrl`] ?? (inputs !== undefined || isDefault ? baseUrl : undefined);
  return {
    provider: isDefault ? "" : urn,
    service: addressIn(text),
  };
}

/** Whether two are the same object. */
export type Sameness = "same" | "other" | "unknown";

/**
 * Compares objects of two stacks. One service may have several URLs, and under one URL two tokens may belong to two
 * tenants. Then only exact creation times decide.
 */
export function sameness(a: ServiceObject, b: ServiceObject): Sameness {
  if (a.kind !== b.kind || a.slug !== b.slug) return "other";
  const isSame = isExact(a.createdAt) && isExact(b.createdAt) ? isSameTime(a.createdAt, b.createdAt) : undefined;
  if (a.service === "" || b.service === "") return isSame === true ? "same" : "unknown";
  if (a.service === b.service) return isSame === false ? "unknown" : "same";
  return isSame === undefined ? "unknown" : isSame ? "same" : "other";
}

/** Compares objects of one stack, as the provider does before it deletes one. */
export function samenessWithin(a: StackObject, b: StackObject): Sameness {
  const isOneService = a.provider === b.provider || (a.service !== "" && a.service === b.service);
  if (isOneService) return a.kind === b.kind && a.slug === b.slug ? "same" : "other";
  return sameness(a, b);
}

/** Why it is unknown whether two are the same object, as the end of a sentence. */
export function doubtText(a: ServiceObject, b: ServiceObject): string {
  if (a.service === "" || b.service === "") return "it is unknown whether both use the same service";
  if (a.service === b.service)
    return "it is unknown whether both are the same object, because their recorded creation times differ";
  return `it is unknown whether ${JSON.stringify(a.service)} and ${JSON.stringify(b.service)} are one service`;
}
