import { existsSync } from "node:fs";
import { join } from "node:path";
import { monitorsIn, type PreviewSource, readPreview } from "../../stacks/monitors";
import { readText, writeText } from "../../report/files";
import { CommandError, exitStatus, type Output } from "../../report/output";
import { count } from "../../report/words";
import { exportMonitor } from "./alerts";
import { mark, ruleFile } from "./ruleFile";
import { testFile } from "./testFile";

export interface ExportOptions extends PreviewSource {
  readonly out: string;
}

const names = { rules: "monitors.rules.yml", tests: "monitors.test.yml" } as const;

/** Writes the monitors that a program declares as a rule file of Prometheus and its unit tests. */
export async function exportRules({ out, ...source }: ExportOptions, output: Output): Promise<void> {
  const preview = await readPreview(source);
  const exported = monitorsIn(preview).flatMap(({ title, after }) =>
    after === undefined ? [] : [exportMonitor({ name: title, args: after })],
  );
  const tests = testFile(exported, names.rules);
  const files = { [names.rules]: ruleFile(exported), [names.tests]: tests.text };
  write(out, files);

  const refused = exported.flatMap(({ monitor: { name }, refusal }) =>
    refusal === undefined ? [] : [{ monitor: name, reason: refusal }],
  );
  const losses = exported.flatMap(({ monitor: { name }, losses }) => losses.map((text) => ({ monitor: name, text })));
  const alerts = exported.reduce((sum, each) => sum + each.alerts.length, 0);
  const monitors = exported.length - refused.length;
  output.line(
    `wrote ${count(monitors, "monitor")} to "${out}" as ${count(alerts, "alert")} with ${count(tests.count, "unit test")}`,
  );
  for (const { monitor, text } of losses) output.line(`  ${monitor}: ${text}`);
  for (const name of tests.untested)
    output.line(`  ${name}: no unit test, because no series can be made up for its query`);
  const next = [
    `promtool check rules ${join(out, names.rules)}`,
    `promtool test rules ${join(out, names.tests)}`,
    `pint lint ${join(out, names.rules)}`,
  ];
  output.line("\nNext:");
  for (const line of next) output.line(`  ${line}`);
  output.result({
    command: "export",
    out,
    stack: preview.stack,
    files: Object.keys(files),
    counts: { monitors, alerts, tests: tests.count },
    refused,
    losses,
    untested: tests.untested,
    next,
  });
  for (const { monitor, reason } of refused) output.warn(`${monitor}: not exported: ${reason}`);
  if (refused.length > 0) process.exitCode = exitStatus.refused;
}

/** Writes all files, or none if one of them is somebody else's. */
function write(out: string, files: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(files)) {
    const path = join(out, name);
    if (existsSync(path) && !readText(path).startsWith(mark)) {
      throw new CommandError(`"${path}" was written by somebody else: choose another --out, or move it away`);
    }
  }
  for (const [name, text] of Object.entries(files)) writeText(join(out, name), text, "choose another --out");
}
