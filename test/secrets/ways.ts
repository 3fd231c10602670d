import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

/**
 * A place has the value encrypted or redacted ("✔"), in plain text ("✘"), in plain text with dynamic resources only ("◐"),
 * or never ("–").
 */
type Cell = "✔" | "✘" | "◐" | "–";

/** A way in which a value becomes secret: a row of the table in SECURITY.md. */
interface Way {
  readonly title: string;
  readonly state: Cell;
  readonly text: Cell;
  readonly errors: Cell;
  /** Declares resources that have the canary as a secret. Returns what the program makes of it. */
  readonly declare: (canary: string) => unknown;
}

const row = (title: string, [state, text, errors]: readonly [Cell, Cell, Cell], declare: Way["declare"]): Way => ({
  title,
  state,
  text,
  errors,
  declare,
});

type Changed = Readonly<{ name?: string; type: string; props: pulumi.Inputs; opts: pulumi.ResourceOptions }>;

const seriesConditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };
const monitor = (name: string, labels?: obs.MonitorArgs["labels"], opts?: obs.ResourceOptions) =>
  new obs.Monitor(name, { labelQuery: "up", seriesConditions, ...(labels && { labels }) }, opts);
const url = (canary: string) => `https://${canary}.example.com`;
const labelsOf = (canary: string) => pulumi.secret({ [`key-${canary}`]: `value-${canary}` });
const changing = (change: (given: Changed) => Partial<Changed>): obs.ResourceOptions => ({
  transformations: [({ props, opts, ...others }) => ({ props, opts, ...change({ props, opts, ...others }) })],
});

/** Adds to a monitor what it marks itself, and to a notifier the API's secrets. */
const adding =
  (canary: string, way: string) =>
  ({ name = "", type, props, opts }: Changed) => {
    if (!name.startsWith(`${way}-`) || !type.includes("observability")) return { props, opts };
    const receiver = name.includes("-own-")
      ? { oncallB: { routingKey: canary, severity: "critical" } }
      : { webhook: { url: url(canary), httpConfig: { bearerToken: canary } } };
    return { props: { ...props, ...(type.endsWith("Monitor") ? { labels: labelsOf(canary) } : receiver) }, opts };
  };

/** Declares resources to which the option, a component with it, or the stack adds secrets. */
function added(way: string, option: pulumi.ComponentResourceOptions) {
  const pair = (name: string, opts: obs.ResourceOptions) => {
    new obs.Notifier(`${way}-${name}-notifier`, {}, opts);
    return monitor(`${way}-${name}-monitor`, { tier: "staging" }, opts).labels;
  };
  const parent = new pulumi.ComponentResource("test:index:Team", way, {}, option);
  return [pair("own", option as obs.ResourceOptions), pair("component", { parent }), pair("stack", {})]; // of both
}

const safe = ["✔", "✔", "✔"] as const;
const read = ["✔", "✔", "–"] as const;
const plain = ["✘", "✘", "–"] as const;

export const ways: Readonly<Record<string, Way>> = {
  schema: row(
    "secret argument of the API",
    safe,
    (canary) => new obs.Notifier("schema", { webhook: { url: url(canary) } }).webhook,
  ),
  secret: row("`pulumi.secret` around an argument, or a value in it", safe, (canary) => [
    monitor("entry", { tier: "staging", team: pulumi.secret(canary) }).labels,
    monitor("map", labelsOf(canary)).labels,
  ]),
  config: row(
    "`config.requireSecret`",
    safe,
    () => monitor("config", { team: new pulumi.Config().requireSecret("team") }).labels,
  ),
  defaults: row("entry of `defaultLabels` that stack config encrypts", safe, () => monitor("defaults").labels),
  provider: row("entry of `defaultLabels` that a `Provider` marks", safe, (canary) => {
    const provider = new obs.Provider("own", { defaultLabels: { team: pulumi.secret(canary) } });
    return monitor("of-provider", undefined, { provider }).labels;
  }),
  transformation: row("what a transformation adds", safe, (canary) => {
    pulumi.runtime.registerStackTransformation(adding(canary, "transformation-stack"));
    return added("transformation", { transformations: [adding(canary, "transformation")] });
  }),
  transform: row("what a transform adds", safe, (canary) => {
    pulumi.runtime.registerResourceTransform(adding(canary, "transform-stack"));
    return added("transform", { transforms: [adding(canary, "transform")] });
  }),
  marked: row("mark that a transformation or transform puts on a value of the program", ["✔", "✔", "◐"], (canary) => {
    const marking = changing(({ props }) => ({ props: { ...props, labels: pulumi.secret(props.labels) } }));
    return monitor("marked", { team: canary }, marking).labels;
  }),
  option: row(
    "option `additionalSecretOutputs`",
    safe,
    (canary) => monitor("option", { team: canary }, { additionalSecretOutputs: ["labels"] }).labels,
  ),
  hidden: row("the same, set by a transformation or transform", ["✘", "✘", "✘"], (canary) => {
    const hiding = changing(({ opts }) => ({ opts: { ...opts, ...{ additionalSecretOutputs: ["labels"] } } }));
    return monitor("hidden", { team: canary }, hiding).labels;
  }),
  function: row(
    "what `getMonitorOutput` or `.get` reads of a marked value, given the output `slug`",
    read,
    (canary) => {
      const { slug } = monitor("read", { team: pulumi.secret(canary) });
      const { monitors } = obs.getMonitorsOutput({ slugs: [slug] });
      return [obs.getMonitorOutput({ slug }).labels, monitors, obs.Monitor.get("read-again", slug).labels];
    },
  ),
  elsewhere: row("the same of an object that another program declares", plain, () => [
    obs.getMonitorOutput({ slug: "elsewhere" }).labels,
    obs.Monitor.get("of-others", "elsewhere").labels,
  ]),
  promise: row("what `getMonitor` reads of a marked value: a promise carries no mark", plain, (canary) =>
    monitor("promised", { team: pulumi.secret(canary) }).slug.apply(
      async (slug) => (await obs.getMonitor({ slug })).labels?.team,
    ),
  ),
  // Of the command, not of a program.
  import: row("secret of the API that `pulumi import` reads", read, () => undefined),
};

/** Declares the resources of all ways, and returns what the program makes of them. */
export const declareAll = (canaryOf: (way: string) => string) =>
  Object.fromEntries(Object.entries(ways).map(([way, { declare }]) => [way, declare(canaryOf(way))]));
