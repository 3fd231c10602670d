import { alertmanager } from "./alertmanager";
import { count } from "../../output/words";
import type { Conversion } from "./conversion";
import { openSlo } from "./openSlo";
import { grafana } from "./grafana";
import { isInput } from "./inputs";
import { manifest } from "./manifest";
import { type SourceNode, nodesOf, Rejection } from "../../source/sourceNode";
import { prometheus } from "./prometheus";
import { pyrra } from "./pyrra";
import { ConversionBuilder, type SourceFormat } from "./conversionBuilder";
import { sloth } from "./sloth";

/** The files of `promtool test rules`. */
const tests: SourceFormat = {
  recognizes: (node) => Array.isArray(node.at("tests").value) && !node.at("kind").exists && !node.at("groups").exists,

  convert(nodes, builder) {
    const [first] = nodes;
    const files = new Set(nodes.map(({ file }) => file)).size;
    if (first !== undefined)
      builder.reportFile(first, "tests", `${count(files, "file")} of promtool tests: tests are not converted`);
  },
};

const formats: readonly SourceFormat[] = [tests, grafana, prometheus, alertmanager, openSlo, sloth, pyrra, manifest];

const formatOf = (node: SourceNode) => formats.find((format) => format.recognizes(node));

/** Converts whole files. The format is recognized by content, not by name. */
export function convert(files: readonly { readonly path: string; readonly text: string }[]): Conversion {
  const builder = new ConversionBuilder();
  const read = files.flatMap(({ path, text }) => {
    const nodes = nodesOf(path, text);
    if (nodes.length === 0) builder.reportFile({ file: path, line: 1 }, "file", "the file is empty");
    return nodes.flatMap(unpacked);
  });
  const known: SourceNode[] = [];
  for (const node of read) {
    if (node instanceof Rejection) builder.reject(node.at, node.reason);
    else if (formatOf(node) === undefined) builder.reject(node, unknownFormat(node));
    else known.push(node);
  }
  for (const format of formats) {
    const own = known.filter((node) => formatOf(node) === format);
    format.convert(own, builder);
  }
  return builder.conversion;
}

/** What the files in a ConfigMap of Kubernetes contain, if some are of a known format, and otherwise the node itself. */
function unpacked(node: SourceNode | Rejection): readonly (SourceNode | Rejection)[] {
  if (node instanceof Rejection || node.at("kind").text !== "ConfigMap") return [node];
  const inner = node.at("data").keys.flatMap((name) => {
    const file = node.at("data", name);
    const isRead = isInput.test(name) || !name.includes(".");
    return isRead ? nodesOf(file.file, file.text ?? "", (line) => file.atLine(line - 1).line) : [];
  });
  return inner.some((each) => !(each instanceof Rejection) && formatOf(each) !== undefined) ? inner : [node];
}

const knownFormats =
  "Prometheus rules, Grafana's alert rules and contact points, Alertmanager configuration, OpenSLO v1, sloth, pyrra, this service's manifests";

function unknownFormat(node: SourceNode): string {
  const [kind, version] = [node.at("kind").text, node.at("apiVersion").text];
  const what =
    kind !== undefined
      ? `"${kind}"${version === undefined ? "" : ` of ${version}`}`
      : node.keys.length > 0
        ? `a file with ${node.keys.slice(0, 5).join(", ")}`
        : "this";
  return `${what} is not one of the known formats (${knownFormats})`;
}
