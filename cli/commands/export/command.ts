import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText, writeText } from "../../output/files";
import { CommandError, exitStatus, type Output } from "../../output/output";
import { ruleFileMark } from "../../output/ruleFileMark";
import { count } from "../../output/words";
import { monitorsIn } from "../../preview/monitors";
import { tellList } from "../../program/tell";
import { type PreviewSource, readPreview } from "../../pulumi/previews";
import { derivedMetric } from "../../../provider/kinds/derivedMetric";
import { changeByUrn } from "../../preview/stackPreview";
import { exportMonitor } from "./alerts";
import { type Exported, withSame } from "./exported";
import { exportDerivedMetric } from "./recordings";
import { ruleFile } from "./ruleFile";

export interface ExportOptions extends PreviewSource {
  readonly out: string;
}

const fileName = "monitors.rules.yml";

/** Writes the monitors that a program declares as a rule file of Prometheus. */
export async function exportRules({ out, ...source }: ExportOptions, output: Output): Promise<void> {
  const preview = await readPreview(source);
  const monitorsOf = withSame(
    monitorsIn(preview).flatMap(({ title, after }) => (after === undefined ? [] : [exportMonitor(title, after)])),
  );
  const metrics = [...changeByUrn(preview.changes).values()].flatMap(({ kind, name, slug = name, after }) =>
    // The provider has checked them.
    kind === derivedMetric && after
      ? [exportDerivedMetric(slug, after as Parameters<typeof exportDerivedMetric>[1])]
      : [],
  );
  const derived = withSame(metrics);
  const exported = [...derived, ...monitorsOf];
  const path = join(out, fileName);
  if (existsSync(path) && !readText(path).startsWith(ruleFileMark)) {
    throw new CommandError(`"${path}" was not written by this command. Choose another --out, or move the file.`);
  }
  writeText(path, ruleFile(exported), "choose another --out");

  const named = (each: Exported) => (derived.includes(each) ? { derivedMetric: each.name } : { monitor: each.name });
  const isWritten = ({ rejection }: Exported) => rejection === undefined;
  const left = exported.filter((each) => !isWritten(each));
  const rejected = left.map((each) => ({ ...named(each), reason: each.rejection }));
  const losses = exported.flatMap((each) => each.losses.map((text) => ({ ...named(each), text })));
  const alerts = exported.reduce((sum, each) => sum + each.alerts.length, 0);
  const [monitors, derivedMetrics] = [monitorsOf, derived].map((all) => all.filter(isWritten).length) as [
    number,
    number,
  ];
  output.line(`wrote ${count(monitors, "monitor")} to "${path}" as ${count(alerts, "alert")}`);
  if (derivedMetrics > 0) output.line(`wrote ${count(derivedMetrics, "derived metric")} as recording rules`);
  for (const { name, losses: own } of exported) for (const text of own) output.line(`  ${name}: ${text}`);
  const next = [`promtool check rules ${path}`, `pint lint ${path}`];
  tellList(output, "Next:", next);
  output.result({
    command: "export",
    out,
    stack: preview.stack,
    files: [fileName],
    counts: { monitors, alerts, derivedMetrics },
    rejected,
    losses,
    next,
  });
  for (const { name, rejection } of left) output.warn(`${name}: not exported: ${rejection}`);
  if (rejected.length > 0) process.exitCode = exitStatus.rejected;
}
