import * as pulumi from "@pulumi/pulumi";
import { randomUUID } from "node:crypto";
import { providerText } from "../provider/dynamic/providerText";
import { type Context, contextKey, recordKey, type Tracking } from "../provider/protocol";
import { withDefaults } from "./defaults";
import { host, otherType, typeOf } from "./host";
import { hasCallbacks } from "./internals";
import { identity, isMocked } from "./mocks";
import { assertOptions } from "./options";
import { assertName, isLater, plainArgs } from "./plainArgs";
import { Preview } from "./preview";
import { defaultsOf, providerOf } from "./provider";
import { checkSetup } from "./setup";
import { hookStacks } from "./stackTraces";

/** Pulumi's resource options, and our option `adopt`. */
export interface ResourceOptions extends pulumi.CustomResourceOptions {
  /**
   * Whether a create adopts an object that exists under the resource's slug: never (`false`), only if the object equals
   * the declaration (`"identical"`), or always, with an update (`true`). Default: the provider's `adopt`.
   */
  readonly adopt?: false | "identical" | true;
}

/** Facts about a kind that its generated class passes on. */
export interface ResourceFacts {
  readonly kind: string;
  /** The names of the arguments. */
  readonly keys: readonly string[];
  /** The arguments that get a value even if the program gives none. */
  readonly derived: readonly string[];
  /** The setting of each argument to which the provider adds entries. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The dotted paths of secrets; `*` is for every item of a map or array. */
  readonly secrets: readonly string[];
}

/** The base class of all kinds: it adds the provider's code, encrypts secrets, and has the timestamps. */
export abstract class ConfigurationResource extends pulumi.CustomResource {
  /** When the object was created, RFC 3339 in UTC. Known after the update. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the object was last written, RFC 3339 in UTC. Known after the update. */
  declare readonly updatedAt: pulumi.Output<string>;

  /** Defines getters for the arguments that a program leaves out: each returns an empty output. */
  protected static answerFor({ keys }: ResourceFacts): void {
    for (const key of keys) {
      Object.defineProperty(this.prototype, key, {
        get: () => pulumi.output(undefined),
        // The SDK sets the outputs of declared arguments.
        set(this: object, value: unknown) {
          Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
        },
        configurable: true,
      });
    }
  }

  protected static isOfKind({ kind }: ResourceFacts, value: unknown): boolean {
    const types: readonly unknown[] = [typeOf(kind, "dynamic"), typeOf(kind, "plugin")];
    return pulumi.CustomResource.isInstance(value) && "__pulumiType" in value && types.includes(value.__pulumiType);
  }

  /** @throws if the option `import` is set, which dynamic providers cannot serve, or if an argument cannot be sent. */
  protected constructor(facts: ResourceFacts, name: string, args: object, { adopt, ...opts }: ResourceOptions) {
    assertName(facts.kind, name);
    const title = `${facts.kind} "${name}"`;
    assertOptions(title, opts);
    assertNoImport(title, opts);
    checkSetup();
    const type = typeOf(facts.kind);
    const isTest = isMocked();
    const isRead = opts.id !== undefined || opts.urn !== undefined;
    const own = plainArgs(title, args);
    // Nothing is added to what is only read, and a transformation cannot have changed the provider yet.
    const defaults = isRead || Object.keys(facts.defaults).length === 0 ? undefined : defaultsOf(providerOf(opts));
    const plain = defaults?.signature === undefined ? own : withDefaults(title, own, facts.defaults, defaults);
    const given = definedIn(encrypt(plain, facts.secrets));
    // Each declared output costs time: only arguments with a value are declared, and those that may get one elsewhere.
    const isTransformed = mayBeTransformed(opts);
    const isAny = isRead || isTest || isTransformed;
    const declared = isAny ? facts.keys : [...facts.derived, ...ignoredBy(facts, opts)];
    const outputs = Object.fromEntries([...declared, "createdAt", "updatedAt"].map((key) => [key, undefined]));
    const preview = isRead ? undefined : Preview.current();
    // The same place under both hosts.
    const context = contextOf(typeOf(facts.kind, "dynamic"), name, adopt, opts, defaults?.signature);
    const secrets = secretPaths(given);
    let announce: (tracking: Tracking) => void = () => undefined;
    const tracking = preview && new Promise<Tracking>((resolve) => (announce = resolve));
    const forProvider = () => ({
      // A resource that is only read is never checked, so nothing would remove the context, and state would record it.
      ...(isRead ? {} : { [contextKey]: { ...context, ...(secrets && { secrets }), ...(tracking && { tracking }) } }),
      __provider: providerText(facts.kind),
    });
    const forMocks = () => {
      if (isRead || facts.derived.length === 0) return {};
      // Read later: a resource knows its provider only after its construction.
      return identity(
        name,
        given,
        Promise.resolve().then(() => this.getProvider(type)),
      );
    };
    // The record may quote a secret. Where none can be, it is plain, because each secret costs the engine memory and time.
    const mayHaveSecret = facts.secrets.length > 0 || secrets !== undefined || isTransformed;
    const hidesRecord = mayHaveSecret || opts.additionalSecretOutputs !== undefined;
    const restore = hookStacks(ConfigurationResource.name);
    try {
      super(
        type,
        name,
        { ...outputs, ...given, ...(isTest ? forMocks() : forProvider()) },
        pulumi.mergeOptions(opts, {
          ...(isRead ? {} : { aliases: [otherType(facts.kind)] }),
          ...(hidesRecord ? { additionalSecretOutputs: [recordKey] } : {}),
        }),
      );
    } finally {
      restore();
    }
    // Transformations may have added arguments.
    const keys = facts.keys.filter((key) => Object.hasOwn(this, key));
    const tracked = { resource: this, kind: facts.kind, type, keys, context, secrets };
    preview?.track(isTransformed ? { ...tracked, given } : tracked, announce);
  }
}

function assertNoImport(title: string, opts: pulumi.CustomResourceOptions): void {
  if (opts.import === undefined || host() === "plugin") return;
  throw new pulumi.RunError(
    `${title}: the option import is not available to dynamic providers. Set adopt: "identical" instead, which adopts ` +
      "the existing object without changing it, or observability:host to plugin",
  );
}

const definedIn = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** Facts that the provider's process has from no other source. `check` removes it from the inputs. */
const contextOf = (
  type: string,
  name: string,
  adopt: ResourceOptions["adopt"],
  opts: pulumi.CustomResourceOptions,
  defaults: string | undefined,
): Context => ({
  dryRun: pulumi.runtime.isDryRun(),
  name,
  place: placeOf(type, name, opts.parent),
  ...(opts.aliases === undefined ? {} : { formerPlaces: formerPlaces(type, name, opts) }),
  instance: randomUUID(),
  ...(adopt === undefined ? {} : { adopt }),
  ...(defaults === undefined ? {} : { defaults }),
  ...(opts.deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace: opts.deleteBeforeReplace }),
  ...(opts.retainOnDelete === undefined ? {} : { retainOnDelete: opts.retainOnDelete }),
  ...(opts.ignoreChanges === undefined ? {} : { ignoreChanges: opts.ignoreChanges }),
  ...(opts.additionalSecretOutputs === undefined ? {} : { secretOutputs: opts.additionalSecretOutputs }),
});

/** The arguments in `ignoreChanges`: the engine may take their values from state. */
const ignoredBy = ({ keys }: ResourceFacts, { ignoreChanges = [] }: pulumi.CustomResourceOptions) =>
  ignoreChanges.includes("*") ? keys : ignoreChanges.flatMap((path) => /[A-Za-z]\w*/.exec(path)?.[0] ?? []);

/** Whether a transformation or a transform may add arguments or options. */
function mayBeTransformed({ parent, transformations = [], transforms = [] }: pulumi.CustomResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as Transformed | undefined;
  const inherited = above?.__transformations ?? [];
  return transformations.length + transforms.length + inherited.length > 0 || hasCallbacks();
}

/** A resource, with members that the SDK's typings leave out. */
interface Transformed {
  readonly __transformations?: readonly unknown[];
}

/** The place of a resource in its URN. */
const placeOf = (type: string, name: string, parent: pulumi.Resource | undefined) =>
  `${typesDownTo(type, parent as Placed | undefined)}::${name}`; // with members that the typings leave out

/** The places that aliases name, as far as they are known without waiting. */
function formerPlaces(type: string, name: string, { aliases = [], parent }: pulumi.CustomResourceOptions): string[] {
  const known = Array.isArray(aliases) ? (aliases as readonly unknown[]) : [];
  return known.flatMap((alias) => {
    if (typeof alias === "string") return [alias.split("::").slice(2).join("::")];
    if (typeof alias !== "object" || alias === null || isLater(alias)) return [];
    const before = { type, name, parent, ...alias };
    const isKnown = typeof before.type === "string" && typeof before.name === "string";
    const isResource = before.parent === undefined || pulumi.Resource.isInstance(before.parent);
    return isKnown && isResource ? [placeOf(before.type, before.name, before.parent)] : [];
  });
}

interface Placed {
  readonly __pulumiType?: string;
  readonly __parentResource?: Placed;
}

/** The types of a resource's parents and its own, as in its URN, which leaves out the stack. */
const typesDownTo = (type: string, parent: Placed | undefined): string =>
  parent?.__pulumiType === undefined || parent.__pulumiType === stackType
    ? type
    : `${typesDownTo(parent.__pulumiType, parent.__parentResource)}$${type}`;

const stackType = "pulumi:pulumi:Stack";

/** The paths of values that the program or this class marks as secret; undefined without an output or promise. */
function secretPaths(args: object): Promise<readonly (string | number)[][]> | undefined {
  const later: [path: (string | number)[], value: unknown][] = [];
  const enter = (value: unknown, path: (string | number)[]): void => {
    if (pulumi.Output.isInstance(value) || value instanceof Promise) later.push([path, value]);
    else if (Array.isArray(value)) value.forEach((each, i) => enter(each, [...path, i]));
    else if (typeof value === "object" && value !== null && !pulumi.Resource.isInstance(value))
      for (const [key, each] of Object.entries(value)) enter(each, [...path, key]);
  };
  enter(args, []);
  if (later.length === 0) return undefined;
  const marked = later.map(async ([path, value]) => {
    const isSecret = await pulumi.isSecret(pulumi.output(value)).catch(() => false);
    return isSecret ? [path] : [];
  });
  return Promise.all(marked).then((paths) => paths.flat());
}

/** A copy of the arguments with every secret as a Pulumi secret. If a secret is inside of an output, all of it is. */
function encrypt(args: object, secrets: readonly string[]): object {
  return secrets.reduce<object>((encrypted, path) => encryptAt(encrypted, path.split(".")) as object, args);
}

function encryptAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.secret(value);
  const isOne = step !== "*";
  if (typeof value !== "object" || (isOne && Array.isArray(value))) return value; // Wrong type: `check` reports it.
  if (Array.isArray(value)) return value.map((each) => encryptAt(each, rest));
  // Not by spread: `plainArgs` may have hidden a property in a map.
  const copy: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value));
  const keys = isOne ? [step].filter((key) => Object.hasOwn(value, key)) : Object.keys(value);
  for (const key of keys) copy[key] = encryptAt(copy[key], rest);
  return copy;
}
