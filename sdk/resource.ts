import { randomUUID } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { providerText } from "../provider/dynamic/providerText";
import { warnOfPlainToken } from "./plainToken";

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
  /** The places of secrets, as dotted paths. */
  readonly secrets: readonly string[];
}

/** What the classes of all kinds share: the provider's text, encryption of secrets, and the timestamps. */
export abstract class ConfigurationResource extends pulumi.CustomResource {
  /** When the object was created, RFC 3339 in UTC. Known after the update. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the object was last written, RFC 3339 in UTC. Known after the update. */
  declare readonly updatedAt: pulumi.Output<string>;

  protected static isOfKind({ kind }: ResourceFacts, value: unknown): boolean {
    return pulumi.CustomResource.isInstance(value) && "__pulumiType" in value && value.__pulumiType === typeOf(kind);
  }

  /** @throws where the option `import` is set, which dynamic providers cannot serve. */
  protected constructor(facts: ResourceFacts, name: string, args: object, { adopt, ...opts }: ResourceOptions) {
    if (opts.import !== undefined) {
      throw new pulumi.RunError(
        `${facts.kind} "${name}": the option import is not available to dynamic providers; ` +
          'set the option adopt: "identical" instead, which takes over the existing object without changing it',
      );
    }
    warnOfPlainToken();
    const declared = Object.fromEntries([...facts.keys, "createdAt", "updatedAt"].map((key) => [key, undefined]));
    // A resource that is only read is never checked, and what check does not take out would reach state.
    const context = opts.id === undefined ? { __ctx: contextOf(name, adopt, opts) } : {};
    super(
      typeOf(facts.kind),
      name,
      { ...declared, ...encrypt(args, facts.secrets), ...context, __provider: providerText(facts.kind) },
      // What the service filled in may quote what a program calls a secret.
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["__observability"] }),
    );
  }
}

const typeOf = (kind: string) => `pulumi-nodejs:dynamic/observability:${kind}`;

/** What the provider's process cannot know otherwise; `check` takes it out of the inputs. */
const contextOf = (name: string, adopt: ResourceOptions["adopt"], opts: pulumi.CustomResourceOptions) => ({
  dryRun: pulumi.runtime.isDryRun(),
  name,
  instance: randomUUID(),
  ...(adopt === undefined ? {} : { adopt }),
  ...(opts.deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace: opts.deleteBeforeReplace }),
});

/** A copy of the arguments in which every secret is a Pulumi secret; where a part is an output, that whole part is. */
function encrypt(args: object, secrets: readonly string[]): object {
  return secrets.reduce<object>((encrypted, path) => encryptAt(encrypted, path.split(".")) as object, { ...args });
}

function encryptAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined || pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.secret(value);
  if (typeof value !== "object" || Array.isArray(value)) return value; // Of the wrong type: check says so.
  const inner = (value as Record<string, unknown>)[step];
  return inner === undefined ? value : { ...value, [step]: encryptAt(inner, rest) };
}
