import { slo } from "../../../provider/kinds/slo";
import { burnRates } from "../../../sdk/burnRates";
import { alertName, averaged, averagedLoss, definitionOf, eventsIndicator, percent, queryOf } from "./objective";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import { type ConversionBuilder, eachAlone, type SourceFormat, nonEmpty } from "./conversionBuilder";
import { lost, objectOf } from "./keys";
import { anything, sequence, numeral, mapping, text, textMapping, truth } from "../../source/scalars";

/** Sloth's files, and the Kubernetes objects of the same content. */
export const sloth: SourceFormat = {
  recognizes: (node) => isKubernetes(node) || (node.at("version").exists && node.at("slos").exists),
  convert: eachAlone(convertService),
};

const isKubernetes = (node: SourceNode) => node.at("kind").text === "PrometheusServiceLevel";

const labels = textMapping.default({});
const alertSchema = mapping({ disable: truth.default(false), labels, annotations: labels });
type Alert = ReturnType<typeof alertSchema.parse>;
const noAlert: Alert = { disable: false, labels: {}, annotations: {} };

// https://github.com/slok/sloth/blob/main/pkg/prometheus/api/v1/v1.go
const plugins = lost("the plugins that change its rules are left out");
const serviceFields = { service: text, labels, slos: sequence(anything) };
const serviceSchema = mapping({ version: anything, ...serviceFields, slo_plugins: plugins });
const objectSchema = objectOf(mapping({ ...serviceFields, sloPlugins: plugins }), {});

// A Kubernetes object writes the same keys in camel case.
const sloSchema = mapping({
  name: text,
  description: text.optional(),
  objective: numeral,
  labels,
  plugins,
  sli: mapping({
    events: mapping({
      ...{ total_query: anything, totalQuery: anything, error_query: anything, errorQuery: anything },
    }).optional(),
    raw: mapping({ error_ratio_query: anything, errorRatioQuery: anything }).optional(),
    plugin: anything,
  }),
  alerting: mapping({
    name: alertName,
    labels,
    annotations: labels,
    page_alert: alertSchema.optional(),
    pageAlert: alertSchema.optional(),
    ticket_alert: alertSchema.optional(),
    ticketAlert: alertSchema.optional(),
  }).prefault({}),
});
// Sloth reads the time window from its command line; this is the default.
const timeWindow = "30d";

const severities = { page: "critical", ticket: "warn" } as const;

function convertService(node: SourceNode, builder: ConversionBuilder): void {
  const isObject = isKubernetes(node);
  const spec = isObject ? node.at("spec") : node;
  if (!isObject && node.at("version").text !== "prometheus/v1") {
    throw new Rejection(node.at("version"), "the version of the sloth file is not prometheus/v1");
  }
  const service = isObject ? builder.read(node, objectSchema).spec : builder.read(node, serviceSchema);
  builder.each(spec.at("slos").items, (each) => convertSlo(each, service, builder));
}

type Service = Pick<ReturnType<typeof serviceSchema.parse>, "service" | "labels">;

function convertSlo(node: SourceNode, { service, labels: shared }: Service, builder: ConversionBuilder): void {
  const read = builder.read(node, sloSchema);
  const [alerting, { page_alert, pageAlert, ticket_alert, ticketAlert }] = [node.at("alerting"), read.alerting];
  const alerts: readonly (readonly [keyof typeof severities, Alert])[] = [
    ["page", page_alert ?? pageAlert ?? noAlert],
    ["ticket", ticket_alert ?? ticketAlert ?? noAlert],
  ];
  const sent = alerts.filter(([, { disable }]) => !disable);
  for (const [name, { annotations }] of sent) {
    if (Object.keys(annotations).length > 0) {
      builder.lose(alerting, `the annotations of the ${name} alert are left out: an SLO has them for all alerts`);
    }
  }
  const config = sent.flatMap(([name, alert]) => {
    const labels = { ...read.alerting.labels, ...alert.labels, sloth_severity: name };
    const own = burnRates.fourWindows.filter(({ severity }) => severity === severities[name]);
    return own.map((each) => ({ ...each, labels }));
  });
  if (sent.length > 0) builder.lose(alerting, "the short window of each burn-rate alert is left out");
  builder.report(node, "sloth reads the time window from its command line; the default of 30d is used");
  builder.templatesStay(alerting.at("annotations"), Object.values(read.alerting.annotations));
  builder.add({
    kind: slo,
    at: node,
    group: service,
    original: read.name,
    called: `${service}-${read.name}`,
    args: {
      description: read.description,
      // Sloth's alerts carry these labels, so routes may match them.
      labels: { ...shared, ...read.labels, sloth_service: service, sloth_slo: read.name },
      ...nonEmpty("annotations", read.alerting.annotations),
      definition: definitionOf(percent(read.objective, node.at("objective")), timeWindow, config),
      sli: sliOf(node.at("sli"), builder),
    },
  });
}

function sliOf(sli: SourceNode, builder: ConversionBuilder) {
  const [events, raw] = [sli.at("events"), sli.at("raw")];
  if (sli.at("plugin").exists) {
    throw new Rejection(sli.at("plugin"), "the indicator is a sloth plugin, whose queries are not in the file");
  }
  if (events.exists === raw.exists) throw new Rejection(sli, "the indicator needs either `events` or `raw`");
  if (events.exists) {
    const total = queryOf(either(events, "total_query", "totalQuery"), builder);
    const bad = queryOf(either(events, "error_query", "errorQuery"), builder);
    return { customIndicator: eventsIndicator(total, "badQueryTemplate", bad, builder, events) };
  }
  const ratio = either(raw, "error_ratio_query", "errorRatioQuery");
  builder.report(ratio, averagedLoss);
  return averaged(queryOf(ratio, builder), "badQueryTemplate");
}

function either(node: SourceNode, key: string, camelKey: string): SourceNode {
  return node.at(key).exists ? node.at(key) : node.at(camelKey);
}
