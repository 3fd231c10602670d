import { Document, isMap, visit, type YAMLMap, YAMLSeq } from "yaml";
import { prometheusDuration } from "../../../sdk/behavior/durations";
import { ruleFileMark } from "../../output/ruleFileMark";
import type { Exported } from "./exported";

/**
 * A rule file with the derived metrics, then the alerts of all monitors: a group for each interval, and one for those without.
 * Losses are comments above each alert.
 */
export function ruleFile(exported: readonly Exported[]): string {
  const groups = new YAMLSeq();
  const document = new Document({});
  const written = exported.filter(({ rejection }) => rejection === undefined);
  const add = (named: object, all: readonly Exported[]) => {
    const rules = new YAMLSeq();
    for (const { alerts, recording, losses } of all) {
      [...(recording === undefined ? [] : [recording]), ...alerts].forEach((each, at) => {
        const rule = document.createNode(each) as YAMLMap; // of an object
        if (at === 0 && losses.length > 0) rule.commentBefore = comment(losses);
        rule.spaceBefore = rules.items.length > 0;
        rules.add(rule);
      });
    }
    const group = document.createNode(named) as YAMLMap; // of an object
    group.set("rules", rules);
    groups.add(group);
  };
  const derived = written.filter(({ recording }) => recording !== undefined);
  if (derived.length > 0) add({ name: "derived metrics" }, derived);
  const monitors = written.filter(({ recording }) => recording === undefined);
  // A missing interval is sorted to the end.
  for (const intervalSecs of [...new Set(monitors.map((each) => each.intervalSecs))].sort((a = 0, b = 0) => a - b)) {
    const interval = intervalSecs === undefined ? undefined : prometheusDuration(intervalSecs);
    const named = interval === undefined ? { name: "monitors" } : { name: `monitors every ${interval}`, interval };
    add(
      named,
      monitors.filter((each) => each.intervalSecs === intervalSecs),
    );
  }
  document.set("groups", groups);
  if (isMap(document.contents)) document.contents.spaceBefore = false;
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value !== "string") return;
      scalar.value = scalar.value.replace(/\p{Surrogate}/gu, "\ufffd");
      if (!isPlain(scalar.value as string)) scalar.type = "QUOTE_DOUBLE"; // It stays a string.
    },
  });
  const text = `${[ruleFileMark, ...rejections(exported)].join("\n")}\n\n${document.toString({ lineWidth: 0 })}`;
  // Such characters are only in quotes and comments.
  return text.replace(breaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// What a reader of YAML 1.1 takes for the end of a line, or rejects.
const breaks = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/gu;

/** Whether readers of YAML 1.1 read a text as the same text without quotes; that those of 1.2 do is the writer's concern. */
function isPlain(text: string): boolean {
  if (new RegExp(breaks, "u").test(text) || /^[=<]+$/.test(text)) return false;
  // Several lines are a block, which has no other reading, unless a blank looks like its indentation.
  return text.includes("\n")
    ? !/^\s/.test(text) && !/^ *(?:\t| $)/m.test(text)
    : new Document(text, { version: "1.1" }).toString({ lineWidth: 0 }).trimEnd() === text;
}

const rejections = (exported: readonly Exported[]) =>
  exported.flatMap(({ name, rejection }) =>
    rejection === undefined ? [] : [`# ${name} was not exported: ${rejection}.`.replace(/\s+/g, " ")],
  );

/** A line for each text, in YAML's form of a comment. */
const comment = (texts: readonly string[]) => texts.map((text) => ` ${text.replace(/\s+/g, " ")}.`).join("\n");
