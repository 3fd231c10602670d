import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// The engine's own lock outlives a killed engine, and "--unlock" removes it. So each process that changes a stack also
// leaves a file in the stack's folder: its name has the host and the process group, and its content the start.

/** Records that this process and its engine work on a stack. @returns what removes the record */
export function recordRun(folder: string): () => void {
  const file = join(folder, `${hostname()}-${process.pid}.run`);
  writeFileSync(file, running().find(({ pid }) => pid === process.pid)?.start ?? "");
  return () => rmSync(file, { force: true });
}

/** A run that has lost its parent ends after its requests in flight. */
const patienceMs = 15_000;

/** Waits for the processes of earlier runs. @throws if one still works on the stack, or can't be checked from here. */
export async function awaitEarlierRuns(folder: string, limitMs = patienceMs): Promise<void> {
  const until = performance.now() + limitMs;
  for (const name of readdirSync(folder)) {
    const [, host, group = ""] = /^(.+)-(\d+)\.run$/.exec(name) ?? [];
    if (host === undefined) continue;
    const file = join(folder, name);
    const start = readFileSync(file, "utf8");
    if (host !== hostname())
      throw new Error(`a run on the host "${host}" may still work on this stack. If it has ended, delete ${file}`);
    while (isWorking(Number(group), start)) {
      if (performance.now() > until) {
        const remedy = `Wait for its end, or end it with "kill -INT -- -${group}"`;
        throw new Error(`process ${group} of an earlier run still works on this stack. ${remedy}`);
      }
      await sleep(100);
    }
    rmSync(file, { force: true });
  }
}

/** Whether any process of a group runs, and the group is not one that got the same number later. */
function isWorking(group: number, start: string): boolean {
  const members = running().filter((each) => each.group === group);
  const leader = members.find(({ pid }) => pid === group);
  return members.length > 0 && (leader === undefined || leader.start === start);
}

interface Listed {
  readonly pid: number;
  readonly group: number;
  readonly start: string;
}

/** All processes, except those that have ended without their parent's notice. Windows has no groups. */
function running(): readonly Listed[] {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") {
    const text = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat=,lstart="], { encoding: "utf8" });
    const rows = [...text.matchAll(/^ *(\d+) +(\d+) +[^Z\s]\S* +(.+?) *$/gm)];
    return rows.map(([, pid, group, start = ""]) => ({ pid: Number(pid), group: Number(group), start }));
  }
  // Small images have no "ps".
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const [state, , group, ...rest] = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return state === "Z" ? [] : [{ pid: Number(pid), group: Number(group), start: rest[16] ?? "" }];
    } catch {
      return []; // Not a process, or one that has just ended.
    }
  });
}
