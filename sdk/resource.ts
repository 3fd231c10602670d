import * as pulumi from "@pulumi/pulumi";
import { contextFor } from "./context";
import { typeOf } from "./host";
import { givenArgs, inputsOf } from "./inputs";
import {
  assertOptions,
  isOnlyRead,
  mayBeTransformed,
  registrationOptions,
  type ResourceFacts,
  type ResourceOptions,
} from "./options";
import { assertName } from "./plainArgs";
import { PreviewResults } from "./preview";
import { checkSetup } from "./setup";
import { hookStacks } from "./stackTraces";

/** The base class of all kinds: it registers the arguments with the provider's code, and has the timestamps. */
export abstract class ConfigurationResource extends pulumi.CustomResource {
  /** When the object was created, RFC 3339 in UTC. Known after the update. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the object was last written, RFC 3339 in UTC. Known after the update. */
  declare readonly updatedAt: pulumi.Output<string>;

  /** Defines getters for the arguments that a program leaves out: each returns an empty output. */
  protected static defineAbsentOutputs({ keys }: ResourceFacts): void {
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

  /** @throws if an option or an argument cannot be sent. */
  protected constructor(facts: ResourceFacts, name: string, args: object, options: ResourceOptions) {
    const { kind } = facts;
    const { adopt: _, ...opts } = options;
    assertName(kind, name);
    const title = `${kind} "${name}"`;
    assertOptions(title, opts);
    checkSetup();
    const type = typeOf(kind);
    const given = givenArgs(title, facts, args, opts);
    const context = contextFor(kind, name, options, given.defaultsDigest);
    const results = isOnlyRead(opts) ? undefined : PreviewResults.current();
    const provider = () => this.getProvider(type);
    const inputs = inputsOf({ facts, name, given, opts, context, resultsIn: results?.folder, provider });
    const mayHaveSecret = facts.secrets.length > 0 || given.marks !== undefined;
    // The SDK takes stack traces: this makes them cheap, and has them name the program's line.
    const restore = hookStacks(ConfigurationResource.name);
    try {
      // Returns at once. The registration is sent when the inputs are known.
      super(type, name, inputs, registrationOptions(kind, opts, mayHaveSecret));
    } finally {
      restore();
    }
    const ofProgram = mayBeTransformed(opts) ? given.values : undefined;
    results?.report({ resource: this, type, instance: context.instance, given: ofProgram });
  }
}
