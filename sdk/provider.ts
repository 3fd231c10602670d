import * as pulumi from "@pulumi/pulumi";
import { warnOfMisspelt } from "./misspelt";
import { argsOf, assertName } from "./plainArgs";
import { namespace, type ProviderArgs, settingNames } from "./providerArgs.gen";

export type { ProviderArgs };

type Settings = readonly (readonly [name: string, text: pulumi.Output<string | undefined>])[];

const settings = new WeakMap<pulumi.ProviderResource, Settings>();

/**
 * An explicit provider: another token or service for some of a program's resources, given by the option `provider`.
 * What its arguments leave out is taken from stack config, then from the environment.
 */
export class Provider extends pulumi.ProviderResource {
  /** @param name The Pulumi name of the provider. */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    assertName("Provider", name);
    const given = argsOf(`Provider "${name}"`, args);
    const set = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    warnOfMisspelt(`Provider "${name}": `, set);
    const config = new pulumi.Config(namespace);
    // The provider's process sees only these properties, so they include stack config.
    const texts = settingNames.flatMap((setting): Settings => {
      const value = given[setting] ?? config.get(setting);
      if (value === undefined) return [];
      const text = pulumi.output(value).apply(textOf);
      return [[setting, setting === "apiToken" ? pulumi.secret(text) : text]];
    });
    // All dynamic resources belong to the package "pulumi-nodejs".
    super("pulumi-nodejs", name, Object.fromEntries(texts.map(([name, text]) => [`${namespace}:${name}`, text])), opts);
    settings.set(this, texts);
  }
}

/** The settings of an explicit provider; undefined if it is of another class. */
export const settingsOf = (provider: pulumi.ProviderResource): Settings | undefined => settings.get(provider);

// An empty text counts as not set.
const textOf = (value: unknown) =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
