import * as pulumi from "@pulumi/pulumi";
import { settingTexts } from "../provider/client/settingTexts";
import { slugFrom } from "../provider/values/slug";
import { settingsOf } from "./provider";
import { namespace } from "./providerArgs.gen";

/** A part of the SDK that its typings leave out. */
interface Internals {
  readonly getMonitor?: () => { readonly mocks?: { readonly newResource?: unknown } } | undefined;
}

/** Whether the program runs under `pulumi.runtime.setMocks`, without engine and provider. */
export const isMocked = (): boolean =>
  typeof (pulumi.runtime as Internals).getMonitor?.()?.mocks?.newResource === "function";

type Argument = pulumi.Input<string | undefined>;

/** The name and slug that the provider would fill in, for a test without a provider. */
export function identity(
  resourceName: string,
  args: Readonly<Record<string, Argument>>,
  provider: Promise<pulumi.ProviderResource | undefined>,
): { readonly name: pulumi.Output<string>; readonly slug: pulumi.Output<string> } {
  const prefix = pulumi.output(provider.then(slugPrefixOf));
  return {
    name: pulumi.output(args.name).apply((name) => name || resourceName),
    slug: pulumi.all([args.slug, prefix]).apply(([slug, before]) => slug || slugFrom(before, resourceName)),
  };
}

/** The setting `slugPrefix` from the provider's arguments or stack config, else from the environment. */
function slugPrefixOf(provider: pulumi.ProviderResource | undefined): pulumi.Output<string> {
  const setting = "slugPrefix";
  const configured =
    provider === undefined
      ? new pulumi.Config(namespace).get(setting)
      : settingsOf(provider)?.find(([name]) => name === setting)?.[1];
  return pulumi.output(configured).apply((text) => settingTexts(() => text, process.env)(setting) ?? "");
}
