import { type ConversionBuilder, type SourceFormat, nameIn } from "./conversionBuilder";
import { firingOf } from "./grafanaQuery";
import {
  anything,
  timespan,
  sequence,
  mapping,
  secondsOrTimespan,
  text,
  textMapping,
  truth,
  wholeNumeral,
} from "../../source/scalars";
import { addAlert, type AlertGroup } from "./alert";
import { ContactPoints } from "./contactPoints";
import { asRead } from "./environment";
import { harmless, inertKeys, keysWith, lost, objectOf, rejects } from "./keys";
import { isRuler, Rejection, type SourceNode } from "../../source/sourceNode";

/**
 * Grafana-managed alert rules and contact points: as files provision them and Grafana exports them, as its provisioning API and
 * its ruler answer, and rules as objects of its Kubernetes operator.
 */
export const grafana: SourceFormat = {
  recognizes: (node) =>
    [isObject, isRuler, isRule, isGroup, isFile, isContactPoint].some((is) => is(node, "grafana_alert")),

  convert(all, builder) {
    new ContactPoints(builder).convert(all.filter(isContactPoint));
    const nodes = all.filter((node) => !isContactPoint(node));
    const convertNode = (node: SourceNode): void => {
      const convertAll = (groups: readonly SourceNode[], outer: Outer = {}) =>
        builder.each(groups, (group) => convertGroup(group, outer, builder));
      if (isRuler(node, "grafana_alert")) {
        for (const folder of node.keys) convertAll(node.at(folder).items, { folder });
      } else if (isObject(node)) {
        builder.read(node, objectTable);
        builder.tell("file");
        convertAll([node.at("spec")], { name: node.at("metadata", "name").text });
      } else if (isGroup(node)) convertAll([node]);
      else if (isRule(node)) {
        const [name = "", folder] = [node.at("ruleGroup").text, node.at("folderUID").text];
        convertRule(node, { node, name, folder, interval: 0 }, builder);
      } else {
        builder.read(node, fileTable, ' next to "groups"');
        builder.tell("file");
        const itemsOf = (key: string) => node.at(key).items;
        new ContactPoints(builder, true).convert(itemsOf("contactPoints"), itemsOf("policies"), itemsOf("muteTimes"));
        convertAll(itemsOf("groups"), { isFile: true });
      }
    };
    builder.each(nodes, convertNode, (node) => titleOf(node) ?? nameIn(node));
  },
};

// Tables of keys: https://github.com/grafana/grafana/tree/main/pkg/services/provisioning/alerting and, of the APIs,
// https://github.com/grafana/grafana/tree/main/pkg/services/ngalert/api/tooling/definitions.

const deletes = harmless((value) => `what Grafana has to delete is left out: ${value}`);
const fileTable = mapping({
  apiVersion: anything,
  ...{ groups: sequence(anything).optional(), contactPoints: sequence(anything).optional() },
  ...{ policies: sequence(anything).optional(), muteTimes: sequence(anything).optional() },
  templates: lost("the templates of notifications are left out"),
  ...keysWith(deletes, "deleteRules", "deleteContactPoints", "deleteTemplates", "deleteMuteTimes", "resetPolicies"),
});
const objectTable = objectOf(anything, {});

const isObject = (node: SourceNode) => node.at("kind").text === "GrafanaAlertRuleGroup";
const isRule = (node: SourceNode) => ["title", "condition", "data"].every((key) => node.at(key).exists);
/** A group in the provisioning API, or in what is sent to a ruler. */
const isGroup = (node: SourceNode) =>
  node.at("rules").exists && (node.at("folderUid").exists || node.at("rules", 0, "grafana_alert").exists);
const isFile = (node: SourceNode) =>
  !node.at("kind").exists &&
  // Prometheus has alerts, not titles.
  !node.at("groups", 0, "rules", 0, "alert").exists &&
  (["contactPoints", "policies"].some((key) => node.at(key, 0).exists) ||
    node.at("groups", 0, "rules", 0, "data").exists ||
    (node.at("apiVersion").text === "1" &&
      Object.keys(fileTable.shape).some((key) => key !== "apiVersion" && node.at(key).exists)));
/** A receiver of a contact point, as the API answers. */
const isContactPoint = (node: SourceNode) =>
  !node.at("kind").exists && ["name", "type", "settings"].every((key) => node.at(key).exists);

/** What a group does not say itself. */
interface Outer {
  readonly name?: string | undefined;
  readonly folder?: string | undefined;
  /** Whether it is in a file that Grafana reads, and in which `$` has a meaning. */
  readonly isFile?: boolean;
}

const groupSchema = mapping({
  name: text.optional(),
  title: text.optional(),
  folder: text.optional(),
  folderUid: text.optional(),
  folderUID: text.optional(),
  folderRef: text.optional(),
  interval: secondsOrTimespan.default(0),
  rules: sequence(anything),
  // How Grafana and its operator keep it.
  ...inertKeys("orgId", "instanceSelector", "resyncPeriod", "editable", "allowCrossNamespaceImport", "folderSelector"),
  ...inertKeys("suspend", "id", "uid", "provenance", "version"),
  ...keysWith(lost(), "evaluation_delay", "align_evaluation_time_on_interval", "query_offset", "limit"),
  source_tenants: rejects("selects the tenants whose series the group reads, and what is converted reads its own"),
});

const panel = lost("its link to a panel of a dashboard is left out", ["0", ""]);
const settings = lost("its notification settings are left out: a notification policy must lead to a notifier");
const timing = {
  for: timespan.default(0),
  keep_firing_for: timespan.default(0),
  keepFiringFor: timespan.default(0),
  labels: textMapping.default({}),
  annotations: textMapping.default({}),
};
const rule = {
  title: text,
  condition: text,
  data: sequence(anything),
  uid: text.optional(),
  noDataState: text.optional(),
  no_data_state: text.optional(),
  execErrState: text.optional(),
  exec_err_state: text.optional(),
  isPaused: truth.default(false),
  is_paused: truth.default(false),
  record: anything,
  ...keysWith(panel, "dashboardUid", "dasboardUid", "panelId"),
  ...{ missingSeriesEvalsToResolve: wholeNumeral.optional(), missing_series_evals_to_resolve: wholeNumeral.optional() },
  ...keysWith(settings, "notification_settings", "notificationSettings"),
  // Where Grafana keeps it, and since when.
  ...inertKeys("id", "guid", "orgId", "orgID", "version", "provenance", "updated", "updated_by", "intervalSeconds"),
  ...inertKeys("metadata", "folderUID", "ruleGroup", "rule_group", "namespace_uid", "namespace_id"),
};
const ruleSchema = mapping({ ...timing, ...rule });
/** What a ruler's answer has beside the rest, because rules of Prometheus have it too. */
const outerSchema = mapping({ ...timing, expr: anything, grafana_alert: anything });

type Group = AlertGroup & Outer;

function convertGroup(node: SourceNode, outer: Outer, builder: ConversionBuilder): void {
  const { interval, ...read } = builder.read(node, groupSchema, " of the group");
  const name = asRead(node.at("name"), outer, builder) ?? read.title ?? outer.name ?? "";
  const { folderUid, folderUID, folderRef } = read;
  const folder = asRead(node.at("folder"), outer, builder) ?? folderUid ?? folderUID ?? folderRef ?? outer.folder;
  const group: Group = { ...outer, node, name, folder, interval };
  builder.each(node.at("rules").items, (rule) => convertRule(rule, group, builder), titleOf);
}

const ownPart = (rule: SourceNode) => (rule.at("grafana_alert").exists ? rule.at("grafana_alert") : rule);
const titleOf = (rule: SourceNode) => ownPart(rule).at("title").text ?? ownPart(rule).at("uid").text;

function convertRule(rule: SourceNode, group: Group, builder: ConversionBuilder): void {
  const own = ownPart(rule);
  if (own.at("record").exists) throw new Rejection(rule, "a recording rule of Grafana has no counterpart");
  const inner = builder.read(own, ruleSchema);
  const outer = own === rule ? {} : builder.read(rule, outerSchema);
  const { condition, annotations, ...read } = { ...inner, ...outer };
  if (read.isPaused || read.is_paused) throw new Rejection(own, "the rule is paused, and a monitor can't be paused");
  const original = asRead(own.at("title"), group, builder) ?? "";
  const labels = Object.fromEntries(
    Object.keys(read.labels).map((key) => [key, asRead(rule.at("labels", key), group, builder) ?? ""]),
  );
  const firing = firingOf(own.at("data").items, condition, own.at("condition"), builder);
  const { noDataState = read.no_data_state ?? "NoData", execErrState = read.exec_err_state ?? "Alerting" } = read;
  if (noDataState !== "OK")
    builder.lose(own, `its no-data state (${noDataState}) is left out: without a series, there is no signal`);
  if (execErrState !== "OK") builder.lose(own, `its error state (${execErrState}) is left out`);
  const { missingSeriesEvalsToResolve: evaluations = read.missing_series_evals_to_resolve ?? -1 } = read;
  if (evaluations !== 1) {
    const which = evaluations > 0 ? evaluations : 2; // Grafana's default.
    builder.lose(
      own,
      `a signal whose series ends resolves at the first evaluation without it, and in Grafana after ${which}`,
    );
  }
  const { node, name, folder } = group;
  if (folder !== undefined) {
    const what = `its folder ${JSON.stringify(folder)} and the label "grafana_folder" are left out`;
    builder.lose(node.at("folder"), what);
  }
  const times = { sustains: read.for, resolves: read.keep_firing_for || read.keepFiringFor };
  const alert = { original, uid: read.uid, hints: [name, folder], labels, annotations, ...firing, ...times };
  addAlert(rule, alert, { ...group, name: folder === undefined ? name : `${folder}/${name}` }, builder);
}
