import * as pulumi from "@pulumi/pulumi";
import { type ProviderDefaults, defaultsGiven, isAbsent } from "./defaults";
import { host, providerPackage } from "./host";
import { isEncrypted } from "./internals";
import { warnOfMisspelled } from "./misspelled";
import { assertName, plainArgs } from "./plainArgs";
import { namespace, type ProviderArgs, settingNames } from "./providerArgs.gen";

export type { ProviderArgs };

type Settings = readonly (readonly [name: string, text: pulumi.Output<string | undefined>])[];

const settings = new WeakMap<pulumi.ProviderResource, Settings>();
const defaults = new WeakMap<pulumi.ProviderResource, ProviderDefaults>();

/**
 * An explicit provider: another token or service for some of a program's resources, given by the option `provider`.
 * What its arguments leave out is taken from stack config, then from the environment.
 */
export class Provider extends pulumi.ProviderResource {
  /** @param name The Pulumi name of the provider. */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    assertName("Provider", name);
    const given: Partial<ProviderArgs> = plainArgs(`Provider "${name}"`, args);
    const set = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    warnOfMisspelled(`Provider "${name}": `, set);
    const config = new pulumi.Config(namespace);
    const maps = defaultsGiven(given, name);
    // The provider's process sees only these properties, so they include stack config.
    const texts = settingNames.flatMap((setting): Settings => {
      const value = setting in maps.texts ? maps.texts[setting] : (given[setting] ?? config.get(setting));
      if (value === undefined) return [];
      const text = pulumi.output(value).apply(textOf);
      const isSecret = setting === "apiToken" || (isAbsent(given[setting]) && isEncrypted(setting));
      return [[setting, isSecret ? pulumi.secret(text) : text]];
    });
    // All dynamic resources share one package, so their settings have a prefix.
    const prefix = host() === "plugin" ? "" : `${namespace}:`;
    super(providerPackage(), name, Object.fromEntries(texts.map(([name, text]) => [prefix + name, text])), opts);
    settings.set(this, texts);
    defaults.set(this, maps);
  }
}

/** The settings of an explicit provider; undefined if it is of another class. */
export const settingsOf = (provider: pulumi.ProviderResource): Settings | undefined => settings.get(provider);

/** The defaults of a resource's provider; none if it is of another class. */
export const defaultsOf = (provider: pulumi.ProviderResource | undefined): ProviderDefaults | undefined =>
  provider === undefined ? defaultsGiven({}, "") : defaults.get(provider);

/** The explicit provider that these options choose. */
export const providerOf = ({ provider, parent }: Options): pulumi.ProviderResource | undefined =>
  provider ?? parent?.getProvider(`${providerPackage()}:index:Resource`);

type Options = Pick<pulumi.CustomResourceOptions, "provider" | "parent">;

// An empty text counts as not set.
const textOf = (value: unknown) =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
