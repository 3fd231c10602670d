import * as pulumi from "@pulumi/pulumi";
import { randomUUID } from "node:crypto";
import { providerText } from "../provider/dynamic/providerText";
import { type Context, contextKey, notesKey } from "../provider/protocol";
import { identity, isMocked } from "./mocks";
import { assertName, plainArgs } from "./plainArgs";
import { hasCallbacks, Validation } from "./preview";
import { warnOfSetup } from "./setup";

/** Pulumi's resource options, and one of our own. */
export interface ResourceOptions extends pulumi.CustomResourceOptions {
  /**
   * Whether a create takes over an object that exists under the resource's slug: never (`false`), only where it already
   * says what would be written (`"identical"`), or always, updating it (`true`). Default: the provider's `adopt`.
   */
  readonly adopt?: false | "identical" | true;
}

/** What a generated class says of its kind. */
export interface ResourceFacts {
  readonly kind: string;
  /** The names of the arguments. */
  readonly keys: readonly string[];
  /** Those that have a value though a program gives none. */
  readonly filledIn: readonly string[];
  /** The places of secrets, as dotted paths. */
  readonly secrets: readonly string[];
}

/** What the classes of all kinds share: the provider's text, encryption of secrets, and the timestamps. */
export abstract class ConfigurationResource extends pulumi.CustomResource {
  /** When the object was created, RFC 3339 in UTC. Known after the update. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the object was last written, RFC 3339 in UTC. Known after the update. */
  declare readonly updatedAt: pulumi.Output<string>;

  /** Lets a class answer for arguments that its program left out. */
  protected static answerFor({ keys }: ResourceFacts): void {
    for (const key of keys) {
      Object.defineProperty(this.prototype, key, {
        get: () => pulumi.output(undefined),
        // The SDK sets the outputs of what is declared.
        set(this: object, value: unknown) {
          Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
        },
        configurable: true,
      });
    }
  }

  protected static isOfKind({ kind }: ResourceFacts, value: unknown): boolean {
    return pulumi.CustomResource.isInstance(value) && "__pulumiType" in value && value.__pulumiType === typeOf(kind);
  }

  /** @throws where the option `import` is set, which dynamic providers cannot serve, or an argument cannot be sent. */
  protected constructor(facts: ResourceFacts, name: string, args: object, { adopt, ...opts }: ResourceOptions) {
    assertName(facts.kind, name);
    const title = `${facts.kind} "${name}"`;
    if (opts.import !== undefined) {
      throw new pulumi.RunError(
        `${title}: the option import is not available to dynamic providers; ` +
          'set the option adopt: "identical" instead, which takes over the existing object without changing it',
      );
    }
    warnOfSetup();
    const type = typeOf(facts.kind);
    const isTest = isMocked();
    const isRead = opts.id !== undefined || opts.urn !== undefined;
    const plain = plainArgs(title, args);
    const given = definedIn(encrypt(plain, facts.secrets));
    // Each costs time, so only those are declared that have a value, or may get one without the program.
    const isAny = isRead || isTest || mayBeTransformed(opts);
    const declared = isAny ? facts.keys : [...facts.filledIn, ...ignoredBy(facts, opts)];
    const outputs = Object.fromEntries([...declared, "createdAt", "updatedAt"].map((key) => [key, undefined]));
    const validation = isRead ? undefined : Validation.ofPreview();
    const context = contextOf(name, adopt, opts);
    const secrets = secretPaths(plain);
    let announce: (follows: string | undefined) => void = () => undefined;
    const follows = validation && new Promise<string | undefined>((resolve) => (announce = resolve));
    const forProvider = () => ({
      // A resource that is only read is never checked, and what check does not take out would reach state.
      ...(isRead ? {} : { [contextKey]: { ...context, ...(secrets && { secrets }), ...(follows && { follows }) } }),
      __provider: providerText(facts.kind),
    });
    const forMocks = () => {
      if (isRead || facts.filledIn.length === 0) return {};
      // Later, because a resource knows its provider only after its construction.
      return identity(
        name,
        given,
        Promise.resolve().then(() => this.getProvider(type)),
      );
    };
    const restore = hookStacks();
    try {
      super(
        type,
        name,
        { ...outputs, ...given, ...(isTest ? forMocks() : forProvider()) },
        // What the service filled in may quote what a program calls a secret.
        pulumi.mergeOptions(opts, { additionalSecretOutputs: [notesKey] }),
      );
    } finally {
      restore();
    }
    // Transformations may have declared others.
    const keys = facts.keys.filter((key) => Object.hasOwn(this, key));
    validation?.follow({ resource: this, kind: facts.kind, type, keys, context, secrets }, announce);
  }
}

/**
 * Stands before a program's stack formatter, for two things. The SDK formats a stack for every promise of every property,
 * for a debugging aid that is off unless asked for; through a program's source maps they cost more than all else of a
 * resource, and are spared. And it takes the fifth frame for the program's, where a class extends `CustomResource` itself.
 * @returns what takes the hook away if there is no formatter: then nothing else needs it.
 */
function hookStacks(): () => void {
  const { prepareStackTrace: formatter } = Error;
  if ((formatter !== undefined && hooked in formatter) || process.env.PULUMI_DEBUG_PROMISE_LEAKS)
    return () => undefined;
  const format = formatter ?? asV8Does;
  const hook: typeof format = (error, frames) =>
    frames[0]?.getFunctionName() === "debuggablePromise"
      ? String(error)
      : (format(error, frames.filter(isNoClassBetween)) as unknown);
  Error.prepareStackTrace = Object.assign(hook, { [hooked]: true });
  return () => {
    if (formatter === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
  };
}

/** Marks the hook, also for another copy of this package. */
const hooked = Symbol.for("pulumi-observability.hookStacks");

const isNoClassBetween = (frame: NodeJS.CallSite) =>
  !(frame.isConstructor() && frame.getFunctionName() === ConfigurationResource.name);

const asV8Does = (error: Error, frames: readonly NodeJS.CallSite[]) =>
  [String(error), ...frames.map((frame) => `    at ${String(frame)}`)].join("\n");

const definedIn = (args: object) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const typeOf = (kind: string) => `pulumi-nodejs:dynamic/observability:${kind}`;

/** What the provider's process cannot know otherwise; `check` takes it out of the inputs. */
const contextOf = (name: string, adopt: ResourceOptions["adopt"], opts: pulumi.CustomResourceOptions): Context => ({
  dryRun: pulumi.runtime.isDryRun(),
  name,
  place: placeOf(name, opts.parent as Placed | undefined),
  instance: randomUUID(),
  ...(adopt === undefined ? {} : { adopt }),
  ...(opts.deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace: opts.deleteBeforeReplace }),
  ...(opts.retainOnDelete === undefined ? {} : { retainOnDelete: opts.retainOnDelete }),
});

/** The arguments that the engine may take from state, because a program asks it to ignore their changes. */
const ignoredBy = ({ keys }: ResourceFacts, { ignoreChanges = [] }: pulumi.CustomResourceOptions) =>
  ignoreChanges.includes("*") ? keys : ignoreChanges.flatMap((path) => /[A-Za-z]\w*/.exec(path)?.[0] ?? []);

/** Whether a transformation or a transform may add arguments and options that the program leaves out. */
function mayBeTransformed({ parent, transformations = [], transforms = [] }: pulumi.CustomResourceOptions): boolean {
  const above = (parent ?? pulumi.runtime.getStackResource()) as Transformed | undefined;
  const inherited = above?.__transformations ?? [];
  return transformations.length + transforms.length + inherited.length > 0 || hasCallbacks();
}

/** A resource with what the SDK's typings leave out. */
interface Transformed {
  readonly __transformations?: readonly unknown[];
}

interface Placed {
  readonly __name?: string;
  readonly __parentResource?: Placed;
}

/** The names of a resource's parents and its own; the stack is a parent too, of those that name none. */
const placeOf = (name: string, parent: Placed | undefined): string =>
  parent === undefined ? name : `${placeOf(parent.__name ?? "", parent.__parentResource)}/${name}`;

/** The places at which a program has marked a value as secret; nothing if it holds none that comes later. */
function secretPaths(args: object): Promise<readonly (string | number)[][]> | undefined {
  const later: [path: (string | number)[], value: unknown][] = [];
  const enter = (value: unknown, path: (string | number)[]): void => {
    if (pulumi.Output.isInstance(value)) later.push([path, value]);
    else if (Array.isArray(value)) value.forEach((each, i) => enter(each, [...path, i]));
    else if (typeof value === "object" && value !== null && !pulumi.Resource.isInstance(value))
      for (const [key, each] of Object.entries(value)) enter(each, [...path, key]);
  };
  enter(args, []);
  if (later.length === 0) return undefined;
  const marked = later.map(async ([path, value]) => {
    const isSecret = await pulumi.isSecret(value as pulumi.Output<unknown>).catch(() => false); // it is an output
    return isSecret ? [path] : [];
  });
  return Promise.all(marked).then((paths) => paths.flat());
}

/** A copy of the arguments in which every secret is a Pulumi secret; where a part is an output, that whole part is. */
function encrypt(args: object, secrets: readonly string[]): object {
  return secrets.reduce<object>((encrypted, path) => encryptAt(encrypted, path.split(".")) as object, args);
}

function encryptAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.secret(value);
  if (typeof value !== "object" || Array.isArray(value)) return value; // Of the wrong type: check says so.
  const inner = (value as Record<string, unknown>)[step];
  return inner === undefined ? value : { ...value, [step]: encryptAt(inner, rest) };
}
