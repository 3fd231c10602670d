import { addressOf } from "../../provider/client/settingTexts";
import { namespace } from "../../provider/schema/names";
import { unknown } from "../../provider/values/unknown";
import { ours, partsOf } from "./urn";

/** What the preview of one stack says of objects. It holds no secret. */
export interface Holdings {
  /**
   * What the program declares, unchanged objects too, by the address of their service: `{ "https://…": ["Monitor errors"] }`.
   * The address is `""` if the preview does not tell it.
   */
  readonly declared: Readonly<Record<string, readonly string[]>>;
  /** What the update deletes. */
  readonly dropped: readonly Dropped[];
}

export interface Dropped {
  /** The kind's name. */
  readonly kind: string;
  /** `""` for a kind of which a service has one object. */
  readonly slug: string;
  /** The Pulumi name of the resource. */
  readonly name: string;
  /** The address of the service; `""` if the preview does not tell it. */
  readonly service: string;
}

/** As much of one of the engine's steps as is read here. */
export interface EngineStep {
  readonly op: string;
  readonly urn: string;
  /** The URN of the provider, and its id. */
  readonly provider?: string;
  readonly old?: EngineState | Absent;
  readonly new?: EngineState | Absent;
}

/** Events say null, "pulumi preview --json" leaves it out. */
type Absent = null | undefined;

interface EngineState {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly retainOnDelete?: boolean;
}

const declaring = ["same", "create", "update", "replace", "create-replacement"];
const dropping = ["delete", "replace", "delete-replaced"];

/** @param baseUrl The setting of the stack, which holds for the default provider. */
export function holdingsOf(steps: readonly EngineStep[], baseUrl: string | undefined): Holdings {
  const providers = new Map([...steps.map(({ urn, old }) => [urn, old] as const), ...newStates(steps)]);
  const found = (ops: readonly string[], side: "old" | "new"): readonly Dropped[] =>
    steps.flatMap((step) => {
      const { op, urn, [side]: state } = step;
      const { type, name } = partsOf(urn);
      const slug = slugIn(state);
      if (!ops.includes(op) || !type.startsWith(ours) || slug === undefined) return [];
      if (side === "old" && state?.retainOnDelete === true) return [];
      return [{ kind: type.slice(ours.length), slug, name, service: serviceOf(step, providers, baseUrl) }];
    });
  const declared: Record<string, string[]> = {};
  for (const object of found(declaring, "new")) (declared[object.service] ??= []).push(keyOf(object));
  // A replacement is told in one or several steps. The provider leaves in place what its own program declares.
  const dropped = found(dropping, "old").filter((object) => declared[object.service]?.includes(keyOf(object)) !== true);
  return { declared, dropped: [...new Map(dropped.map((each) => [`${each.service} ${keyOf(each)}`, each])).values()] };
}

const newStates = (steps: readonly EngineStep[]) =>
  steps.flatMap(({ urn, new: state }) => (state ? [[urn, state] as const] : []));

const keyOf = ({ kind, slug }: Pick<Dropped, "kind" | "slug">) => (slug === "" ? kind : `${kind} ${slug}`);

/** Undefined if there is no state, or if the preview hides the slug. */
function slugIn(state: EngineState | Absent): string | undefined {
  if (!state) return undefined;
  // Every object has a slug, but one of which a service has no other.
  const slug = state.inputs?.slug ?? "";
  return typeof slug === "string" && slug !== unknown && slug !== "[secret]" ? slug : undefined;
}

/** The address of the service that a resource's provider asks; `""` if the preview does not tell it. */
function serviceOf(
  { provider = "" }: EngineStep,
  providers: ReadonlyMap<string, EngineState | Absent>,
  baseUrl: string | undefined,
): string {
  const urn = provider.split("::").slice(0, -1).join("::");
  const setting = `${namespace}:baseUrl`;
  const inputs = providers.get(urn)?.inputs;
  // A default provider is never shown. An explicit one has the stack's settings among its inputs.
  const isDefault = partsOf(urn).name.startsWith("default");
  const text = inputs?.[setting] ?? (inputs !== undefined || isDefault ? baseUrl : undefined);
  // A secret or unknown address is no URL.
  return typeof text === "string" && URL.canParse(text) ? addressOf(new URL(text)) : "";
}

/** An object that one stack deletes and another one declares. */
export interface Conflict<T> {
  readonly dropping: T;
  readonly object: Dropped;
  readonly declaring: T;
  /** Whether both address the same service; otherwise one address is not known. */
  readonly isCertain: boolean;
}

/** Compares stacks that were previewed together by the addresses of their services. Tokens of two tenants are not told apart. */
export function conflictsOf<T extends { readonly holdings?: Holdings | undefined }>(
  stacks: readonly T[],
): readonly Conflict<T>[] {
  const declarations = new Map<string, { readonly stack: T; readonly service: string }[]>();
  for (const stack of stacks) {
    for (const [service, keys] of Object.entries(stack.holdings?.declared ?? {})) {
      for (const key of keys) declarations.set(key, [...(declarations.get(key) ?? []), { stack, service }]);
    }
  }
  const conflicts = (dropping: T, object: Dropped): readonly Conflict<T>[] =>
    (declarations.get(keyOf(object)) ?? []).flatMap(({ stack: declaring, service }) => {
      const isCertain = service !== "" && service === object.service;
      const isPossible = service === "" || object.service === "" || isCertain;
      return isPossible && declaring !== dropping ? [{ dropping, object, declaring, isCertain }] : [];
    });
  return stacks.flatMap((stack) => (stack.holdings?.dropped ?? []).flatMap((object) => conflicts(stack, object)));
}

/** @param declaring The stack that declares the object, in words. */
export const conflictText = ({ object, isCertain }: Conflict<unknown>, declaring: string) =>
  `deletes ${object.kind}${object.slug === "" ? "" : ` ${JSON.stringify(object.slug)}`}, which ${declaring} declares` +
  `${isCertain ? "" : "; whether both use the same service is not known"}: move it with "pulumi state move", or set ` +
  'retainOnDelete first, see "docs/how-to.md#move-a-resource-from-one-stack-to-another"';
