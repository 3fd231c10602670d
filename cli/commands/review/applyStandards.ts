import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { notifiedBy } from "../../consequences/alerting";
import { bySeverity } from "../../consequences/notified";
import type { Route } from "../../source/routes";
import { quote } from "../../output/words";
import type { RuleOf } from "../../review/review";
import type { StackPreview } from "../../preview/stackPreview";
import type { Applied, StandardsJob, StandardsMessage } from "./standardsProcess";

interface Wanted {
  readonly preview: StackPreview;
  /** The file of the stack's standards, if there is one. */
  readonly file: string | undefined;
}

/**
 * Applies the standards to each stack. Each file runs in its own process, because its code may do anything: end the process,
 * change its exit status, print, or never answer.
 */
export async function applyStandards(wanted: readonly Wanted[], routes?: Route): Promise<readonly Applied[]> {
  const applied: Applied[] = wanted.map(() => ({}));
  for (const file of new Set(wanted.flatMap((each) => each.file ?? []))) {
    const own = [...wanted.keys()].filter((i) => wanted[i]?.file === file);
    const previews = own.flatMap((i) => wanted[i]?.preview ?? []);
    const results = await applyFile(file, previews, routes);
    own.forEach((i, at) => (applied[i] = results[at] ?? {}));
  }
  return applied;
}

/** A rule may take 10 s to answer, and so may loading the file. A rule that blocks its process can only be ended. */
const longestMs = 12_000;

async function applyFile(file: string, previews: readonly StackPreview[], routes?: Route): Promise<readonly Applied[]> {
  const child = fork(join(__dirname, "standardsProcess.js"), { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  // Standard output belongs to the result.
  for (const stream of [child.stdout, child.stderr]) stream?.pipe(process.stderr, { end: false });
  const results: Applied[] = [];
  let current: RuleOf | undefined;
  let end: "done" | "late" | undefined;
  const stop = (how: "done" | "late") => {
    end = how;
    child.kill("SIGKILL");
  };
  const isLate = () => stop("late");
  let timer = setTimeout(isLate, longestMs);
  child.on("message", (message: StandardsMessage) => {
    clearTimeout(timer);
    if ("done" in message) return stop("done");
    timer = setTimeout(isLate, longestMs);
    current = "rule" in message ? message : undefined;
    if (!("rule" in message)) results.push(message);
  });
  const closed = once(child, "close");
  const exited = once(child, "exit");
  child.send({ file, stacks: previews.map((preview) => slim(preview, routes)) } satisfies StandardsJob);
  const [status, signal] = await exited;
  clearTimeout(timer);
  // A process that a rule has started may keep the pipes open.
  await Promise.race([closed, delay(500, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  if (end === "done" && results.length === previews.length) return results;
  const how = end === "late" ? `gave no answer within ${longestMs / 1_000} s` : `ended with ${signal ?? status}`;
  const text = `the standards in ${quote(file)} were not checked completely: their process ${how}, ${moment(current, results.length)}`;
  return previews.map((_, i) => ({ ...results[i], failures: [...(results[i]?.failures ?? []), { text }] }));
}

function moment(rule: RuleOf | undefined, measured: number): string {
  if (rule === undefined) return measured === 0 ? "while it loaded the file" : "after the rules";
  return `while the rule ${quote(rule.rule)} was applied to ${rule.kind} ${quote(rule.name)}`;
}

/** The part of a preview that rules see. It contains no secret. */
const slim = ({ stack, changes }: StackPreview, routes?: Route): StandardsJob["stacks"][number] => ({
  stack,
  changes: changes.map(({ kind, name, op, before, after }) => {
    const of = (side: typeof after) => Object.fromEntries(bySeverity(notifiedBy({ kind, name }, side, routes)));
    const notified = routes && { notified: { before: of(before), after: of(after) } };
    return { kind: { name: kind.name }, name, op, before, after, ...notified };
  }),
});
