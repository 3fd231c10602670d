import * as pulumi from "@pulumi/pulumi";
import { type SettingTexts, settingTexts } from "../provider/client/settingTexts";
import { type Defaults, defaultsFrom, isAbsent } from "./defaults";
import { isEncrypted } from "./encrypted";
import { isInline, type ReadableOutput } from "./internals";
import { warnOfMisspelt } from "./misspelt";
import { argsOf, assertName } from "./plainArgs";
import { namespace, type ProviderArgs, settingNames } from "./providerArgs.gen";

export type { ProviderArgs };

type Settings = readonly (readonly [name: string, text: pulumi.Output<string | undefined>])[];

const settings = new WeakMap<pulumi.ProviderResource, Settings>();
const defaults = new WeakMap<pulumi.ProviderResource, Defaults>();

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
    const maps = defaultsFrom(given, name);
    // The provider's process sees only these properties, so they include stack config.
    const texts = settingNames.flatMap((setting): Settings => {
      const value = setting in maps.texts ? maps.texts[setting] : (given[setting] ?? config.get(setting));
      if (value === undefined) return [];
      const text = pulumi.output(value).apply(textOf);
      const isSecret = setting === "apiToken" || (isAbsent(given[setting]) && isEncrypted(setting));
      return [[setting, isSecret ? pulumi.secret(text) : text]];
    });
    // All dynamic resources belong to the package "pulumi-nodejs".
    super("pulumi-nodejs", name, Object.fromEntries(texts.map(([name, text]) => [`${namespace}:${name}`, text])), opts);
    settings.set(this, texts);
    defaults.set(this, maps);
  }
}

/** The settings of an explicit provider; undefined if it is of another class. */
export const settingsOf = (provider: pulumi.ProviderResource): Settings | undefined => settings.get(provider);

/** The defaults of a resource's provider; none if it is of another class. */
export const defaultsOf = (provider: pulumi.ProviderResource | undefined): Defaults | undefined =>
  provider === undefined ? defaultsFrom({}, "") : defaults.get(provider);

/** The explicit provider that these options choose. All resources of ours belong to the package "pulumi-nodejs". */
export const providerOf = ({ provider, parent }: Options): pulumi.ProviderResource | undefined =>
  provider ?? parent?.getProvider("pulumi-nodejs:dynamic:Resource");

type Options = Pick<pulumi.CustomResourceOptions, "provider" | "parent">;

// An empty text counts as not set.
const textOf = (value: unknown) =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The environment variables; for an inline program without address and token: the host may be another team's. */
function environment(): NodeJS.ProcessEnv {
  if (!isInline()) return process.env;
  const { OBSERVABILITY_BASE_URL: _baseUrl, OBSERVABILITY_API_TOKEN: _apiToken, ...others } = process.env;
  return others;
}

/** The settings of an explicit provider, or of stack config; undefined if one is not known here. */
export const textsOf = async (provider: pulumi.ProviderResource | undefined): Promise<SettingTexts | undefined> =>
  provider === undefined ? ofStack() : ofProvider(provider);

function ofStack(): SettingTexts {
  const config = new pulumi.Config(namespace);
  return settingTexts((name) => config.get(name), environment());
}

/** The settings of an explicit provider; undefined if one is not known yet, or the provider is of another class. */
async function ofProvider(provider: pulumi.ProviderResource): Promise<SettingTexts | undefined> {
  const settings = settingsOf(provider);
  if (settings === undefined) return undefined;
  const texts = new Map<string, string | undefined>();
  for (const [name, output] of settings) {
    const { isKnown, promise } = output as unknown as ReadableOutput;
    if (!(await isKnown)) return undefined;
    texts.set(name, (await promise()) as string | undefined); // an output of a text
  }
  return settingTexts((name) => texts.get(name), environment());
}
