import { assertReadable } from "../../../provider/client/settings";
import { kinds } from "../../../provider/kinds/index.gen";
import { exitStatus, type Output, painter, type Screen } from "../../output/output";
import { hanging } from "../../output/text";
import { count, listed } from "../../output/words";
import { startRunOf } from "../../pulumi/service";
import { behaviorFindings } from "./behavior";
import { connectionOf } from "./connection";
import { probeKind, type ProbedKind, verbFindings, Writes } from "./operations";
import { type DoctorFinding, type Level, Probe, shows } from "./probe";
import { versionFindings, versionsHere } from "./versions";

export interface DoctorFlags {
  readonly stack?: string | undefined;
}

/** Waits that suit a person who looks at the terminal. */
const patience = { requestTimeoutSecs: "5", retryBudgetSecs: "5" };

/** Reports what the service supports. */
export async function doctor({ stack }: DoctorFlags, output: Output): Promise<void> {
  const run = await startRunOf(stack === undefined ? undefined : { folder: ".", stack }, output, patience);
  assertReadable(run.settings);
  const [versions, probe] = [await versionsHere(), new Probe(run)];
  const connection = await connectionOf(probe);
  const seen = connection.verdict === undefined ? await Promise.all(kinds.map((kind) => probeKind(probe, kind))) : [];
  const asked = seen.length === 0 ? [] : await examine(probe, seen);
  const findings = [...versionFindings(versions), ...connection.findings, ...asked];
  const verdict = connection.verdict ?? verdictOf(run.client.baseUrl, seen, findings);
  for (const line of [verdict, "", ...linesOf(findings, output.screen), ...tableOf(seen)]) output.line(line);
  const operations = Object.fromEntries(seen.map(({ kind, verbs }) => [kind.name, verbs]));
  output.result({ verdict, service: run.client.baseUrl, versions, operations, findings });
  const has = (wanted: Level) => findings.some(({ level }) => level === wanted);
  process.exitCode = has("unusable") ? exitStatus.failed : has("missing") ? exitStatus.rejected : exitStatus.done;
}

async function examine(probe: Probe, seen: readonly ProbedKind[]): Promise<readonly DoctorFinding[]> {
  const writes = new Writes(probe);
  await writes.tryAll(seen);
  const behavior = await behaviorFindings({ probe, seen, writes });
  const times = [...probe.times].sort((one, other) => one - other);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  const time = shows("ok", `${median} ms, the median of ${count(times.length, "request")}`);
  return [{ line: "response time", ...time }, ...verbFindings(seen), ...behavior];
}

function verdictOf(baseUrl: string, seen: readonly ProbedKind[], findings: readonly DoctorFinding[]): string {
  const lines = (wanted: Level) => findings.filter(({ level }) => level === wanted).map(({ line }) => line);
  // A verb that is forbidden for one kind may not be tried for another one.
  const isForbidden = (verb: "read" | "update") =>
    seen.some(({ verbs }) => verbs[verb] === "forbidden") && seen.every(({ verbs }) => verbs[verb] !== "yes");
  const name = `the service at "${baseUrl}"`;
  if (lines("unusable").length > 0) return `Don't use the provider with ${name}: see ${listed(lines("unusable"))}.`;
  if (isForbidden("read")) return `The token can't read from ${name}.`;
  if (isForbidden("update")) return `The token can only read from ${name}, so previews of changes fail.`;
  const missing = lines("missing");
  return `The provider works with ${name}${missing.length === 0 ? "" : `, with limits: ${listed(missing)}`}.`;
}

const styles = { ok: "green", note: "dim", missing: "yellow", unusable: "red", unknown: "dim" } as const;

function linesOf(findings: readonly DoctorFinding[], { isColored, width }: Screen): readonly string[] {
  const margin = " ".repeat(11);
  const wrapped = (text: string, start = margin) => hanging(text, { start, indent: margin.length, width });
  return findings.flatMap(({ line, level, result, meaning, page }) => [
    ...wrapped(`${line}: ${result}`, `  ${painter(isColored)(styles[level], level.padEnd(9))}`),
    ...(meaning === undefined ? [] : wrapped(`${meaning}.`)),
    ...(page === undefined ? [] : [margin + page]),
  ]);
}

/** The verbs of each kind. */
function tableOf(seen: readonly ProbedKind[]): readonly string[] {
  const row = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(26)}${cells.map((each) => each.padEnd(11)).join("")}`.trimEnd();
  const [first] = seen;
  if (first === undefined) return [];
  return [
    "",
    row("", Object.keys(first.verbs)),
    ...seen.map(({ kind, verbs }) => row(kind.name, Object.values(verbs))),
  ];
}
