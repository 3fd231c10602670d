// https://prometheus.io/docs/prometheus/latest/configuration/template_reference, and the functions of Go's text/template.
const called = `(?:${[
  ..."and or not len index slice print printf println html js urlquery eq ne lt le gt ge query first label value".split(
    " ",
  ),
  ..."sortByLabel humanize humanize1024 humanizeDuration humanizePercentage humanizeTimestamp toTime toDuration".split(
    " ",
  ),
  ..."now title toUpper toLower match reReplaceAll graphLink tableLink parseDuration stripPort stripDomain".split(" "),
  ..."externalURL pathPrefix safeHtml args".split(" "),
].join("|")})`;
const name = String.raw`(?:\$(?:labels|externalLabels|externalURL|value)|(?=\.))`;
const operand = String.raw`(?:"(?:[^"\\\n]|\\["\\nrt])*"|${"`[^`]*`"}|-?\d+(?:\.\d+)?|${name}(?:\.[A-Za-z_]\w*)*\.?(?<=[\w.])(?<!\w\.))`;
const call = String.raw`${called}(?:\s+${operand})*`;
const pipeline = String.raw`(?:${call}|${operand})(?:\s*\|\s*${call})*`;
const action = new RegExp(
  String.raw`(?<!\{)\{\{(?:-\s)?\s*(?:(if|range|with)\s+${pipeline}|else(?:\s+(?:if|with)\s+${pipeline})?|(end)|${pipeline})\s*(?:\s-)?\}\}`,
  "g",
);

/** Whether Prometheus surely reads a text as a template. One with anything else, such as variables of its own, may be one. */
export function isTemplate(text: string): boolean {
  let [depth, isOrdered] = [0, true];
  const rest = text.replace(action, (found, opens?: string, closes?: string) => {
    depth += opens === undefined ? (closes === undefined ? 0 : -1) : 1;
    isOrdered &&= depth >= 0 && (depth > 0 || !/^\{\{(?:-\s)?\s*else/.test(found));
    return "";
  });
  return isOrdered && depth === 0 && !rest.includes("{{");
}

/** A text that a template shows as it is. */
export const shownAsItIs = (text: string) => text.replaceAll("{{", '{{ "{{" }}');
