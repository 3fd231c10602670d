import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText, writeText } from "../../output/files";
import { CommandError, exitStatus, type Output } from "../../output/output";
import { count } from "../../output/words";
import { monitorsIn } from "../../preview/monitors";
import { type PreviewSource, readPreview } from "../../pulumi/previews";
import { exportMonitor } from "./alerts";
import { ruleFileMark, ruleFile } from "./ruleFile";

export interface ExportOptions extends PreviewSource {
  readonly out: string;
}

const fileName = "monitors.rules.yml";

/** Writes the monitors that a program declares as a rule file of Prometheus. */
export async function exportRules({ out, ...source }: ExportOptions, output: Output): Promise<void> {
  const preview = await readPreview(source);
  const exported = monitorsIn(preview).flatMap(({ title, after }) =>
    after === undefined ? [] : [exportMonitor(title, after)],
  );
  const path = join(out, fileName);
  if (existsSync(path) && !readText(path).startsWith(ruleFileMark)) {
    throw new CommandError(`"${path}" was not written by this command. Choose another --out, or move the file.`);
  }
  writeText(path, ruleFile(exported), "choose another --out");

  const rejected = exported.flatMap(({ name, rejection }) =>
    rejection === undefined ? [] : [{ monitor: name, reason: rejection }],
  );
  const losses = exported.flatMap(({ name, losses }) => losses.map((text) => ({ monitor: name, text })));
  const alerts = exported.reduce((sum, each) => sum + each.alerts.length, 0);
  const monitors = exported.length - rejected.length;
  output.line(`wrote ${count(monitors, "monitor")} to "${path}" as ${count(alerts, "alert")}`);
  for (const { monitor, text } of losses) output.line(`  ${monitor}: ${text}`);
  const next = [`promtool check rules ${path}`, `pint lint ${path}`];
  output.line("\nNext:");
  for (const line of next) output.line(`  ${line}`);
  output.result({
    command: "export",
    out,
    stack: preview.stack,
    files: [fileName],
    counts: { monitors, alerts },
    rejected,
    losses,
    next,
  });
  for (const { monitor, reason } of rejected) output.warn(`${monitor}: not exported: ${reason}`);
  if (rejected.length > 0) process.exitCode = exitStatus.rejected;
}
