import * as pulumi from "@pulumi/pulumi";
import { namespace, type ProviderArgs, settingNames } from "./providerArgs.gen";

export type { ProviderArgs };

/**
 * An explicit provider: another token or service for some of a program's resources, given by the option `provider`.
 * What its arguments leave out is taken from stack config, then from the environment.
 */
export class Provider extends pulumi.ProviderResource {
  /** @param name The Pulumi name of the provider. */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const config = new pulumi.Config(namespace);
    const props = settingNames.map((setting): [string, pulumi.Input<string> | undefined] => {
      // The provider's process sees nothing but these properties, so stack config is copied into them.
      const value = args[setting] ?? config.get(setting);
      const text = value === undefined ? undefined : pulumi.output(value).apply(textOf);
      return [`${namespace}:${setting}`, setting === "apiToken" && text !== undefined ? pulumi.secret(text) : text];
    });
    // Dynamic resources belong to the package "pulumi-nodejs", whichever vendor they are of.
    super("pulumi-nodejs", name, Object.fromEntries(props.filter(([, value]) => value !== undefined)), opts);
  }
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
