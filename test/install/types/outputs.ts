import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { holds, type Same } from "./check.js";

declare const pager: obs.Notifier;
holds<Same<typeof pager.id, pulumi.Output<pulumi.ID>>>();
holds<Same<typeof pager.email, pulumi.Output<obs.types.Email | undefined>>>();
holds<Same<typeof pager.skipResolved, pulumi.Output<boolean | undefined>>>();
// @ts-expect-error nobody may have set it
pager.email.apply((email) => email.to);
// @ts-expect-error outputs are read-only
pager.slug = pulumi.output("another");
// @ts-expect-error no such output
pager.version satisfies unknown;

declare const budget: obs.LogAllocationConfig;
// @ts-expect-error the single object has no slug
budget.slug satisfies unknown;

// A resource is read by its id.
obs.SLO.get("s", pulumi.output("slug"), { parent: pager });
// @ts-expect-error without an id
obs.Monitor.get("m");
// @ts-expect-error with arguments
obs.Monitor.get("m", "slug", { labelQuery: "up" });
// @ts-expect-error reading adopts nothing
obs.Monitor.get("m", "slug", { adopt: true });

declare const anything: unknown;
if (obs.Monitor.isInstance(anything)) holds<Same<typeof anything, obs.Monitor>>();

// The parts of arguments and of outputs have names.
holds<Same<obs.types.EmailArgs["to"], pulumi.Input<string | undefined>>>();
export const found: obs.types.Condition = { op: "GT", value: 1 };
// @ts-expect-error what is found holds no outputs
export const pending: obs.types.Condition = { value: pulumi.output(1) };
// @ts-expect-error what is found is read-only
found.value = 2;
