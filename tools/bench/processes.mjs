import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * @typedef {"program" | "provider" | "engine"} Role
 * @typedef {{ cpuSeconds: number, peakMb: number }} Use
 */

/** @type {readonly Role[]} */
export const roles = ["program", "provider", "engine"];

/** Without /proc, only time and requests are measured. */
export const canMeasure = existsSync("/proc/self/stat");

const intervalMs = 50;
// /proc counts processor time in this unit, on every Linux that Node.js supports.
const ticksPerSecond = 100;

/**
 * The role of a process. The CLI is the engine, which starts the others. Small processes that look for the script of a
 * role belong to that role. The language host only waits and has no role.
 * @param {string} commandLine
 * @returns {Role | undefined}
 */
function roleOf(commandLine) {
  if (/\/cmd\/dynamic-provider|pulumi-resource-/.test(commandLine)) return "provider";
  if (/\/cmd\/run\b/.test(commandLine)) return "program";
  return /^(\S*\/)?pulumi(\.exe)? /.test(commandLine) ? "engine" : undefined;
}

/**
 * Watches the processes of a session. The last 50 ms of a process may be lost.
 * @param {number} session the process id of the one that started it
 */
export function watchSession(session) {
  /** @type {Set<string>} */
  const others = new Set();
  /** @type {Map<string, { commandLine: string } & Use>} */
  const seen = new Map();
  /** @param {(pid: string, cpuSeconds: number) => void} visit */
  const each = (visit) => {
    for (const pid of canMeasure ? readdirSync("/proc") : []) {
      if (!/^\d/.test(pid) || others.has(pid)) continue;
      try {
        const stat = statOf(pid);
        if (stat.session === session) visit(pid, stat.cpuSeconds);
        else others.add(pid);
      } catch {
        // The process has ended.
      }
    }
  };
  const look = () =>
    each((pid, cpuSeconds) => {
      const peakKb = /^VmHWM:\s+(\d+)/m.exec(read(pid, "status"))?.[1];
      // An ended process that still has an entry shows no memory: it keeps its last figures.
      if (peakKb === undefined) return;
      // Read again each time: a process that was just started still shows its parent's command line.
      const commandLine = read(pid, "cmdline").replaceAll("\0", " ");
      seen.set(pid, { commandLine, cpuSeconds, peakMb: Number(peakKb) / 1024 });
    });
  look();
  const timer = setInterval(look, intervalMs);

  return {
    /** The total processor time and the largest resident memory of one process by role. Ends the watch. */
    uses() {
      clearInterval(timer);
      if (!canMeasure) return undefined;
      /** @type {Record<Role, Use>} */
      const uses = { program: nothing, provider: nothing, engine: nothing };
      for (const { commandLine, cpuSeconds, peakMb } of seen.values()) {
        const role = roleOf(commandLine);
        if (role === undefined) continue;
        const use = uses[role];
        uses[role] = { cpuSeconds: use.cpuSeconds + cpuSeconds, peakMb: Math.max(use.peakMb, peakMb) };
      }
      return uses;
    },
    /** Ends the remaining processes: the engine gives its children their own process groups. */
    end: () => each((pid) => process.kill(Number(pid), "SIGKILL")),
  };
}

/** @type {Use} */
const nothing = { cpuSeconds: 0, peakMb: 0 };

/** @param {string} pid */
function statOf(pid) {
  const stat = read(pid, "stat");
  // Starts after the process name, which may hold any character.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0] = fields.slice(11, 13);
  return { session: fields[3] ?? 0, cpuSeconds: (user + system) / ticksPerSecond };
}

/** @param {string} pid @param {string} file */
const read = (pid, file) => readFileSync(`/proc/${pid}/${file}`, "latin1");
