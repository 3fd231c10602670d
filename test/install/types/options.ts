import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { holds, type Same } from "./check.js";

// Pulumi's options, and our one.
holds<Same<Exclude<keyof obs.ResourceOptions, keyof pulumi.CustomResourceOptions>, "adopt">>();
holds<Same<Exclude<obs.ResourceOptions["adopt"], undefined>, false | "identical" | true>>();
new obs.Monitor("m", {}, { adopt: true, aliases: [{ name: "old" }], ignoreChanges: ["labels"], protect: true });
// @ts-expect-error an option, not an argument
new obs.Notifier("n", { adopt: true });
// @ts-expect-error no such option
new obs.Notifier("n", {}, { adpot: true });

// An explicit provider: everything may be left out, given plainly or later.
new obs.Provider("empty");
const provider = new obs.Provider("team-a", {
  baseUrl: pulumi.output("https://config.example.com"),
  apiToken: pulumi.secret("token"),
  validate: pulumi.output("always" as const),
  adopt: true,
  onMissingDelete: "retain",
  secretMasks: ["<hidden>", pulumi.output("***")],
  retryBudgetSecs: Promise.resolve(20),
});
new obs.Dataset("d", {}, { provider });
// @ts-expect-error no such moment
new obs.Provider("p", { validate: "sometimes" });
// @ts-expect-error no such way
new obs.Provider("p", { onMissingDelete: "ignore" });
// @ts-expect-error a text for a number
new obs.Provider("p", { maxConcurrency: "16" });
// @ts-expect-error a text for a list
new obs.Provider("p", { secretMasks: "***" });
// @ts-expect-error an unknown setting
new obs.Provider("p", { token: "token" });

// What is only for the package's own use is not offered.
// @ts-expect-error the class that all kinds share
export type Base = obs.ConfigurationResource;
