import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { holds, type Same } from "./check.js";

declare const pager: obs.Notifier;
declare const provider: obs.Provider;

// A promise of plain values takes plain values.
holds<Same<ReturnType<typeof obs.getNotifier>, Promise<obs.GetNotifierResult>>>();
void obs.getNotifier({ slug: "pager" }, { provider, parent: pager, async: true });
// @ts-expect-error an output is for the other form
void obs.getNotifier({ slug: pager.slug });
// @ts-expect-error without a slug
void obs.getNotifier({});
// @ts-expect-error a list has no such filter
void obs.getNotifiers({ slug: "pager" });

// An output takes both.
holds<Same<ReturnType<typeof obs.getSLOOutput>, pulumi.Output<obs.GetSLOResult>>>();
holds<Same<ReturnType<typeof obs.getSLOsOutput>, pulumi.Output<obs.GetSLOsResult>>>();
obs.getNotifierOutput({ slug: pager.slug }, { dependsOn: [pager] });
obs.getNotifiersOutput({ slugs: [pager.slug, "another"], names: pulumi.output(["Pager"]) });
obs.getNotifiersOutput();

declare const shown: obs.GetNotifierResult;
holds<Same<typeof shown.slug, string>>();
shown.email satisfies obs.types.Email | undefined;
// @ts-expect-error what is shown is not changed
shown.slug = "another";
// @ts-expect-error nobody may have set it
shown.email.to satisfies unknown;

// The singleton has neither slug nor list.
void obs.getLogAllocationConfig({ provider });
obs.getLogAllocationConfigOutput().defaultDataset.apply((dataset) => dataset?.allocation);
// @ts-expect-error no such function
void obs.getLogAllocationConfigs;
