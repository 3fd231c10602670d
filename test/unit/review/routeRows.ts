import { unknown } from "../../../dist/provider/values/unknown.js";
import { alert, every, monitor, never, slo, week } from "./declarations.js";
import { same, type Stacks, type Step } from "./dependentRows.js";

type Args = Readonly<Record<string, unknown>>;
const pd = { slug: "pd", email: { to: "a@example.com" } };
const [notifier, gone, renamed]: readonly [Step, Step, Step] = [
  ["Notifier", "pd", same(pd)],
  ["Notifier", "pd", { before: pd }],
  ["Notifier", "pd", { op: "replace", before: pd, after: { ...pd, slug: "pd-2" } }],
];
const to = (name: string | undefined, more: Args = {}): Args =>
  monitor({ slug: "x", ...(name !== undefined && { labels: { notifier: name } }), ...more });
const policy = { notificationPolicySlug: "p" };
const alerting = (...labels: readonly Args[]): Args =>
  slo({ burnRateAlertingConfig: labels.map((each, i) => ({ ...alert(`${i + 1}h`, 2), labels: each })) }, { slug: "x" });
/** A change of the labels from one to the other. */
const x = (before: Args | undefined, after: Args, kind = "Monitor"): Step => [
  kind,
  "x",
  { ...(before && { before }), after },
];
const idle = (name: string) => ({ ...week(every(never)), slug: "x", labels: { notifier: name } });

/** Changes of whom monitors and SLOs notify, with the stacks that they concern. */
export const routeRows = Object.entries<Stacks>({
  "a label that names no notifier": { dev: [notifier, x(to("pd"), to("pdd"))] },
  "a new monitor whose label names none": { dev: [notifier, x(undefined, to("pdd"))] },
  "the same of a monitor with a notification policy": { dev: [notifier, x(undefined, to("pdd", policy))] },
  "a label that names a notifier": { dev: [notifier, x(to("pdd"), to("pd"))] },
  "a label that names a notifier of another stack": { dev: [x(to("pdd"), to("pd"))], platform: [notifier] },
  "a label that names a new notifier": { dev: [["Notifier", "pd", { after: pd }], x(undefined, to("pd"))] },
  "another change of what names none": { dev: [notifier, x(to("pdd"), to("pdd", { intervalSecs: 30 }))] },
  "the last route": { dev: [notifier, x(to("pd"), to(undefined))] },
  "the last route, which is a policy": { dev: [x(to(undefined, policy), to(undefined))] },
  "a label beside a policy": { dev: [notifier, x(to("pd", policy), to(undefined, policy))] },
  "a new monitor without a route": { dev: [x(undefined, to(undefined))] },
  "a new monitor without a route, beside one with a label": {
    dev: [notifier, x(undefined, to(undefined)), ["SLO", "y", same({ ...alerting({ notifier: "pd" }), slug: "y" })]],
  },
  "a new SLO of which one alert has no route": {
    dev: [notifier, x(undefined, alerting({ notifier: "pd" }, {}), "SLO")],
  },
  "an alert of an SLO": { dev: [notifier, x(alerting({ notifier: "pd" }), alerting({ notifier: "pdd" }), "SLO")] },
  "a label of one of two alerts": {
    dev: [notifier, x(alerting({ notifier: "pd" }, { notifier: "pd" }), alerting({ notifier: "pd" }, {}), "SLO")],
  },
  "a removed notifier": {
    dev: [
      gone,
      x(to("pd"), to("pd", { intervalSecs: 30 })),
      ["SLO", "y", same({ ...alerting({ notifier: "pd" }), slug: "y" })],
    ],
    shop: [["Monitor", "z", same(to("pd", { ...policy, slug: "z" }))]],
    other: [["Monitor", "held", same(monitor({ slug: "h", labels: { route: "pd" } }))]],
  },
  "a renamed notifier": { dev: [renamed, x(to("pd"), to("pd-2")), ["Monitor", "z", same(to("pd", { slug: "z" }))]] },
  "a notifier that stays without a resource": {
    dev: [
      ["Notifier", "pd", { before: pd, retained: true }],
      ["Monitor", "x", same(to("pd"))],
    ],
  },
  "a notifier that moves to another stack": {
    dev: [gone, ["Monitor", "x", same(to("pd"))]],
    platform: [["Notifier", "moved", { after: pd }]],
  },
  "a notifier whose slug is known only after the update": {
    dev: [["Notifier", "new", { after: { ...pd, slug: unknown } }], x(to("pd"), to("pdd"))],
  },
  "a label that is hidden": {
    dev: [notifier, x(to("pd"), to(unknown)), ["SLO", "y", { after: { ...slo({}), labels: "[secret]" } }]],
  },
  "what never fires": { dev: [notifier, x(idle("pd"), idle("pdd"))] },
  "what fires again": { dev: [notifier, x(idle("pdd"), to("pdd"))] },
});
