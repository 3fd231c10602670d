import { alertmanager } from "./alertmanager";
import type { Conversion } from "./conversion";
import type { Format } from "./format";
import { openSlo } from "./openSlo";
import { type Part, partsOf, Refusal } from "./part";
import { prometheus } from "./prometheus";
import { pyrra } from "./pyrra";
import { Report } from "./report";
import { sloth } from "./sloth";

const formats: readonly Format[] = [prometheus, alertmanager, openSlo, sloth, pyrra];

/** Converts whole files. The format is recognised by content, not by name. */
export function convert(files: readonly { readonly path: string; readonly text: string }[]): Conversion {
  const report = new Report();
  const found = new Map<Format, Part[]>(formats.map((format) => [format, []]));
  for (const part of files.flatMap(({ path, text }) => partsOf(path, text))) {
    if (part instanceof Refusal) {
      report.refuse(part.at, part.reason);
      continue;
    }
    const format = formats.find((each) => each.recognises(part));
    if (format === undefined) report.refuse(part, unknownFormat(part));
    else found.get(format)?.push(part);
  }
  for (const [format, parts] of found) format.convert(parts, report);
  return { items: report.items, refused: report.refused, losses: report.losses };
}

const known = "Prometheus rules, Alertmanager configuration, OpenSLO v1, sloth, pyrra";

function unknownFormat(part: Part): string {
  const [kind, version] = [part.at("kind").text, part.at("apiVersion").text];
  const what =
    kind !== undefined
      ? `"${kind}"${version === undefined ? "" : ` of ${version}`}`
      : part.keys.length > 0
        ? `a file with ${part.keys.slice(0, 5).join(", ")}`
        : "this";
  return `${what} is none of the known formats (${known})`;
}
