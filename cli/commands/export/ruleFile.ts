import { Document, isMap, type YAMLMap, YAMLSeq } from "yaml";
import { promDuration } from "../../../sdk/behavior/durations";
import type { Exported } from "./alerts";

/** The first line of the file that the command writes: only such a file is overwritten. */
export const mark = "# Written by pulumi-observability export --prometheus: change the program instead.";

/**
 * A rule file with the alerts of all monitors, a group for each interval, and one for monitors without an interval.
 * Losses are comments above each alert.
 */
export function ruleFile(exported: readonly Exported[]): string {
  const groups = new YAMLSeq();
  const intervals = new Set(
    exported.filter(({ rejection }) => rejection === undefined).map((each) => each.intervalSecs),
  );
  const document = new Document({});
  // A missing interval is sorted to the end.
  for (const intervalSecs of [...intervals].sort((a = 0, b = 0) => a - b)) {
    const rules = new YAMLSeq();
    for (const { alerts, losses } of exported.filter((each) => each.intervalSecs === intervalSecs)) {
      alerts.forEach((alert, at) => {
        const rule = document.createNode(alert) as YAMLMap; // of an object
        if (at === 0 && losses.length > 0) rule.commentBefore = comment(losses);
        rule.spaceBefore = rules.items.length > 0;
        rules.add(rule);
      });
    }
    const interval = intervalSecs === undefined ? undefined : promDuration(intervalSecs);
    const named = interval === undefined ? { name: "monitors" } : { name: `monitors every ${interval}`, interval };
    const group = document.createNode(named) as YAMLMap; // of an object
    group.set("rules", rules);
    groups.add(group);
  }
  document.set("groups", groups);
  if (isMap(document.contents)) document.contents.spaceBefore = false;
  return `${[mark, ...rejections(exported)].join("\n")}\n\n${document.toString({ lineWidth: 0 })}`;
}

const rejections = (exported: readonly Exported[]) =>
  exported.flatMap(({ name, rejection }) =>
    rejection === undefined ? [] : [`# ${name} was not exported: ${rejection}.`.replace(/\s+/g, " ")],
  );

/** A line for each text, in YAML's form of a comment. */
const comment = (texts: readonly string[]) => texts.map((text) => ` ${text.replace(/\s+/g, " ")}.`).join("\n");
