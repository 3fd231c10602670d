import * as pulumi from "@pulumi/pulumi";
import { settingTexts } from "../provider/client/settingTexts";
import { slugFrom } from "../provider/schema/names";
import { settingsOf } from "./provider";
import { namespace } from "./providerArgs.gen";

/** The name and slug that the provider would fill in, for a test without a provider. */
export function nameAndSlug(
  resourceName: string,
  args: Readonly<Record<string, pulumi.Input<string | undefined>>>,
  provider: () => pulumi.ProviderResource | undefined,
): { readonly name: pulumi.Output<string>; readonly slug: pulumi.Output<string> } {
  // Read later: a resource knows its provider only after its construction.
  const prefix = pulumi.output(Promise.resolve().then(() => slugPrefixOf(provider())));
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
