import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { type Closed, holds, type Same } from "./check.js";

// What the cases of every kind would tell of arguments that are closed.
interface ClosedArgs {
  open?: pulumi.Input<string | undefined>;
  plain?: string;
  inside?: pulumi.Input<{ list?: pulumi.Input<string[] | undefined> } | undefined>;
  map?: pulumi.Input<Record<string, string> | undefined>;
}
holds<Same<Closed<ClosedArgs>, "plain" | "inside.list[]" | "map{}">>();

const text = pulumi.output("text");
const number = pulumi.output(1);
const config = new pulumi.Config();

// Plain values, outputs, promises and secrets mix.
new obs.Notifier("n", {});
new obs.Notifier("n", { name: text, slug: Promise.resolve("slug"), skipResolved: pulumi.output(true) });
new obs.Notifier("n", { oncallB: { routingKey: config.requireSecret("key"), details: { "a.b": text, plain: "x" } } });
new obs.Notifier("n", { oncallB: pulumi.secret({ routingKey: "key" }) });
new obs.Notifier("n", { webhook: { url: pulumi.secret("https://h"), httpConfig: { basicAuth: { password: text } } } });
new obs.Notifier("n", { chat: { mrkdwnIn: [text, "pretext"], actions: pulumi.output([{ type: "button" }]) } });
new obs.Notifier("n", { oncallA: { responders: [{ name: text }, pulumi.output({ name: "team" })] } });
new obs.Monitor("m", { intervalSecs: number, labels: pulumi.output({ team: "checkout" }) });
new obs.Monitor("m", { seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: number }] } } } });
new obs.SLO("s", { definition: { objective: number, timeWindow: text }, sli: pulumi.output({}) });
new obs.TraceMetricsRule("t", {
  histogramBucketsSecs: [0, number],
  traceFilter: { span: [{ service: { value: text } }] },
});

// What is set only at times is undefined at others.
new obs.Notifier("n", {
  name: undefined,
  slug: config.get("slug"),
  email: { to: undefined, html: config.get("html") },
});

// What one resource says is handed to another.
const logs = new obs.Dataset("logs", {});
const pager = new obs.Notifier("pager", {});
new obs.LogAllocationConfig("l", {
  datasetAllocations: [{ datasetSlug: logs.slug, allocation: { percentOfLicense: 1 } }],
});
new obs.Monitor("m", { labels: { notifier: pager.slug }, annotations: { made: pager.createdAt } });
new obs.Notifier("copy", { email: pager.email, webhook: pager.webhook, discard: pager.discard });

// Suggestions stay open.
new obs.Monitor("m", {
  seriesConditions: { defaults: { warn: { conditions: [{ op: "NOT_EXISTS" }, { op: "FRESH" }] } } },
});
new obs.Dataset("d", { configuration: { type: "PROFILES" } });
declare const anyText: string;
new obs.Dataset("d", { configuration: { type: anyText } });

// Unknown keys are errors, at every depth.
// @ts-expect-error an unknown argument
new obs.Notifier("n", { nmae: "x" });
// @ts-expect-error the spelling of the wire
new obs.Monitor("m", { label_query: "up" });
// @ts-expect-error an unknown key two objects deep
new obs.Notifier("n", { webhook: { httpConfig: { basicAuth: { user: "x" } } } });
// @ts-expect-error an unknown key in an item of a list in an object
new obs.TraceMetricsRule("t", { traceFilter: { span: [{ services: {} }] } });
// @ts-expect-error an unknown argument of the single object
new obs.LogAllocationConfig("l", { slug: "x" });
// @ts-expect-error an unknown argument beside known ones
new obs.SLO("s", { name: "x", objective: 99 });

// Wrong types are errors.
// @ts-expect-error a number for a text
new obs.Notifier("n", { name: 1 });
// @ts-expect-error an output of a number for a text
new obs.Notifier("n", { slug: number });
// @ts-expect-error a text for a number
new obs.Monitor("m", { intervalSecs: "60" });
// @ts-expect-error a text for a truth value
new obs.Notifier("n", { discard: "true" });
// @ts-expect-error a number where any text is taken
new obs.Monitor("m", { seriesConditions: { defaults: { warn: { conditions: [{ op: 5 }] } } } });
// @ts-expect-error a number in a map of texts
new obs.Monitor("m", { labels: { team: 1 } });
// @ts-expect-error a text for a list
new obs.TraceMetricsRule("t", { histogramBucketsSecs: "1,2" });
// @ts-expect-error a text in a list of numbers
new obs.TraceMetricsRule("t", { histogramBucketsSecs: [1, "2"] });
// @ts-expect-error an object for a list
new obs.DerivedMetric("d", { queries: { query: { labelExpr: "x" } } });
// @ts-expect-error null is not how an argument is left out
new obs.SLO("s", { description: null });
// @ts-expect-error a number deep inside
new obs.SLO("s", { definition: { timeWindow: 28 } });

// Arguments and names are given.
// @ts-expect-error no arguments
new obs.Notifier("n");
// @ts-expect-error arguments without a name
new obs.Notifier({ discard: true });
// @ts-expect-error an output for a name
new obs.Notifier(text, { discard: true });
