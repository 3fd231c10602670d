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

// Plain values, outputs, promises and secrets mix.
new obs.Notifier("n", { oncallB: { details: { "a.b": text, plain: "x" } }, slug: Promise.resolve("slug") });
new obs.Notifier("n", { chat: { mrkdwnIn: [text, "pretext"], apiUrl: pulumi.secret("https://h") } });
new obs.TraceMetricsRule("t", { histogramBucketsSecs: [0, number] });

// What is set only at times is undefined at others.
new obs.Notifier("n", { name: undefined, email: { to: undefined, html: new pulumi.Config().get("html") } });

// Suggestions stay open.
declare const anyText: string;
new obs.Dataset("d", { configuration: { type: anyText } });
new obs.Dataset("d", { configuration: { type: "PROFILES" } });

// Unknown keys are errors, at every depth.
// @ts-expect-error an unknown argument beside a known one
new obs.Notifier("n", { name: "x", nmae: "x" });
// @ts-expect-error an unknown key two objects deep
new obs.Notifier("n", { webhook: { httpConfig: { basicAuth: { user: "x" } } } });
// @ts-expect-error an unknown key in an item of a list in an object
new obs.TraceMetricsRule("t", { traceFilter: { span: [{ services: {} }] } });

// Wrong types are errors.
// @ts-expect-error an output of a number for a text
new obs.Notifier("n", { slug: number });
// @ts-expect-error a text for a number
new obs.Monitor("m", { intervalSecs: "60" });
// @ts-expect-error a text for a truth value
new obs.Notifier("n", { discard: "true" });
// @ts-expect-error a number where any text is taken
new obs.Dataset("d", { configuration: { type: 5 } });
// @ts-expect-error a number in a map of texts
new obs.Monitor("m", { labels: { team: 1 } });
// @ts-expect-error a text in a list of numbers
new obs.TraceMetricsRule("t", { histogramBucketsSecs: [1, "2"] });
// @ts-expect-error an object for a list
new obs.DerivedMetric("d", { queries: { query: { labelExpr: "x" } } });
// @ts-expect-error null is not how an argument is left out
new obs.SLO("s", { description: null });

// Arguments and names are given.
// @ts-expect-error no arguments
new obs.Notifier("n");
// @ts-expect-error an output for a name
new obs.Notifier(text, { discard: true });
