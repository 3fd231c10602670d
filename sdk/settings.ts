import * as pulumi from "@pulumi/pulumi";
import { type SettingTexts, settingTexts } from "../provider/client/settingTexts";
import { isInline, type ReadableOutput } from "./internals";
import { settingsOf } from "./provider";
import { namespace } from "./providerArgs.gen";

/** The environment variables; for an inline program without URL and token: the host may be another team's. */
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
    texts.set(name, (await promise()) as string | undefined); // an output of a string
  }
  return settingTexts((name) => texts.get(name), environment());
}
