import { monitor } from "../../../provider/kinds/monitor";
import { type ConversionBuilder, type SourceFormat, Diagnostics } from "./conversionBuilder";
import { firingOf } from "./grafanaQuery";
import { anything, timespan, sequence, mapping, text, textMapping, truth } from "./scalars";
import { monitorArgs, alertSeverity, wholeSeconds } from "./alert";
import { Rejection, type SourceNode } from "./sourceNode";

/** Grafana-managed alert rules, as files provision them and Grafana exports them. */
export const grafana: SourceFormat = {
  recognizes: (node) =>
    !node.at("kind").exists &&
    // Prometheus has alerts, not titles.
    !node.at("groups", 0, "rules", 0, "alert").exists &&
    (node.at("apiVersion").text === "1" || isProvisioned(node.at("groups", 0))) &&
    parts.some((key) => node.at(key).exists),

  convert(nodes, builder) {
    builder.each(nodes, (node) => {
      for (const key of node.keys) {
        if (key === "apiVersion" || key === "groups") continue;
        const reason = parts.includes(key) ? "only alert rules are converted" : "a file of alert rules has no such key";
        builder.lose(node.at(key), key, `"${key}" next to "groups" is left out: ${reason}`);
      }
      builder.each(node.at("groups").items, (group) => convertGroup(group, builder));
    });
  },
};

/** The keys of a file of Grafana's alerting. */
const parts = ["groups", "contactPoints", "policies", "templates", "muteTimes", "deleteRules"];

const isProvisioned = (group: SourceNode) => group.at("rules", 0, "data").exists;

const groupSchema = mapping({
  orgId: anything,
  name: text.default(""),
  folder: text.optional(),
  interval: timespan.default(0),
  rules: sequence(anything),
});

const ruleSchema = mapping({
  uid: anything,
  title: text,
  condition: text,
  data: sequence(anything),
  for: timespan.default(0),
  keep_firing_for: timespan.default(0),
  keepFiringFor: timespan.default(0),
  noDataState: text.default("NoData"),
  execErrState: text.default("Alerting"),
  isPaused: truth.default(false),
  labels: textMapping.default({}),
  annotations: textMapping.default({}),
  record: anything,
});

const withoutSettings = () => "its notification settings are left out: a notification policy must lead to a notifier";
const reasons = { notification_settings: withoutSettings, notificationSettings: withoutSettings };

/** A text as Grafana reads it from a provisioned file, where `$$` is a dollar sign. Its annotations stay as they are. */
function provisioned(node: SourceNode, text: string, diagnostics: Diagnostics): string {
  return text.replace(/\$(?:\$|\{\w+\}|[A-Za-z_]\w*)/g, (found) => {
    if (found === "$$") return "$";
    const what = `${found} in ${JSON.stringify(text)} stays: Grafana replaces it by the environment variable of this name`;
    diagnostics.lose(node, what);
    return found;
  });
}

function convertGroup(node: SourceNode, builder: ConversionBuilder): void {
  const group = new Diagnostics(" of the group");
  const { interval, ...read } = node.read(groupSchema, group.loseKey);
  const name = provisioned(node.at("name"), read.name, group);
  const folder = read.folder && provisioned(node.at("folder"), read.folder, group);
  const convertRule = (rule: SourceNode): void => {
    if (rule.at("record").exists) throw new Rejection(rule, "a recording rule of Grafana has no counterpart");
    const diagnostics = new Diagnostics();
    const { condition, annotations, ...read } = rule.read(ruleSchema, diagnostics.losing(reasons));
    const title = provisioned(rule.at("title"), read.title, diagnostics);
    const labels = Object.fromEntries(
      Object.entries(read.labels).map(([key, value]) => [key, provisioned(rule.at("labels", key), value, diagnostics)]),
    );
    if (read.isPaused) throw new Rejection(rule.at("isPaused"), "the rule is paused, and a monitor can't be paused");
    const { query, op, value, isOneSignal } = firingOf(
      rule.at("data").items,
      condition,
      rule.at("condition"),
      diagnostics,
    );
    if (read.noDataState !== "OK") {
      diagnostics.lose(
        rule,
        `its no-data state (${read.noDataState}) is left out: without a series, there is no signal`,
      );
    }
    if (read.execErrState !== "OK") {
      diagnostics.lose(rule, `its error state (${read.execErrState}) is left out`);
    }
    const severity = alertSeverity(labels.severity, rule.at("labels", "severity"), diagnostics);
    builder.templatesStay(rule, [...Object.values(labels), ...Object.values(annotations)]);
    if (folder !== undefined) {
      const what = `its folder ${JSON.stringify(folder)} and the label "grafana_folder" are left out`;
      diagnostics.lose(node.at("folder"), what);
    }
    diagnostics.include(group);
    const fires = {
      op,
      value,
      sustainSecs: wholeSeconds(rule.at("for"), "a duration", read.for, diagnostics),
      resolveSustainSecs: wholeSeconds(rule, "a duration", read.keep_firing_for || read.keepFiringFor, diagnostics),
    };
    const intervalSecs = wholeSeconds(node.at("interval"), "a duration", interval, diagnostics);
    builder.add({
      kind: monitor,
      at: rule,
      group: folder === undefined ? name : `${folder}/${name}`,
      original: title,
      hints: [labels.severity ?? "", name, folder ?? ""],
      args: monitorArgs({
        labels,
        annotations,
        intervalSecs,
        labelQuery: query,
        severity,
        condition: fires,
        isOneSignal,
      }),
      diagnostics,
    });
  };
  builder.each(node.at("rules").items, convertRule, (rule) => rule.at("title").text);
}
