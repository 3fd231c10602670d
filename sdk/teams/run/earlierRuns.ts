import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// The engine's own lock outlives a killed engine, and "--unlock" removes it. So each process that changes a stack also
// leaves a file in the stack's folder: its name has the process group, and its content the start.
const prefix = `run-${hostname()}-`;

/** Records that this process and its engine work on a stack. @returns what removes the record */
export function recordRun(folder: string): () => void {
  const file = join(folder, `${prefix}${process.pid}`);
  writeFileSync(file, runningIn(process.pid).get(process.pid) ?? "");
  return () => rmSync(file, { force: true });
}

/** Waits for the processes of this machine's earlier runs. @throws if one still works on the stack after that. */
export async function awaitEarlierRuns(folder: string, limitMs = 15_000): Promise<void> {
  const limit = performance.now() + limitMs;
  for (const name of readdirSync(folder).filter((name) => name.startsWith(prefix))) {
    const [file, group] = [join(folder, name), Number(name.slice(prefix.length))];
    const start = readFileSync(file, "utf8");
    for (let members = runningIn(group); members.size > 0; members = runningIn(group)) {
      // Another process got the number of one that has ended. As long as its group is there, none does.
      if ((members.get(group) ?? start) !== start) break;
      if (performance.now() > limit) {
        const remedy = `Wait for its end, or end it with "kill -INT -- -${group}"`;
        throw new Error(`process ${group} of an earlier run still works on this stack. ${remedy}`);
      }
      await sleep(100);
    }
    rmSync(file, { force: true });
  }
}

/** The start of each process of a group that runs, and has not just ended without its parent's notice. */
function runningIn(group: number): ReadonlyMap<number, string> {
  if (process.platform === "win32") return new Map(); // It has no groups.
  const rows =
    process.platform === "linux"
      ? linuxRows()
      : execFileSync("ps", ["-A", ...["stat=", "pgid=", "pid=", "lstart="].flatMap((each) => ["-o", each])]);
  const own = [...String(rows).matchAll(/^ *([^Z\s])\S* +(\d+) +(\d+) +(.*)$/gm)].filter(
    ([, , of]) => Number(of) === group,
  );
  return new Map(own.map(([, , , pid, start = ""]) => [Number(pid), start]));
}

/** The rows of "ps", which small images lack. */
function linuxRows(): string {
  const rows = readdirSync("/proc").map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return /^\d+$/.test(pid) ? `${fields[0]} ${fields[2]} ${pid} ${fields[19]}` : "";
    } catch {
      return ""; // Not a process, or one that has just ended.
    }
  });
  return rows.join("\n");
}
