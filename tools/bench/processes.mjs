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
 * Watches the processes of a session. The returned function ends this and gives, by role, the total processor time and
 * the largest resident memory of one process. The last 50 ms of a process may be lost.
 * @param {number} session the process id of the one that started it
 * @returns {() => Readonly<Record<Role, Use>> | undefined}
 */
export function watchSession(session) {
  if (!canMeasure) return () => undefined;
  /** @type {Set<string>} */
  const others = new Set();
  /** @type {Map<string, { commandLine: string } & Use>} */
  const seen = new Map();

  const look = () => {
    for (const pid of readdirSync("/proc")) {
      if (!/^\d/.test(pid) || others.has(pid)) continue;
      try {
        const stat = statOf(pid);
        if (stat.session !== session) {
          others.add(pid);
          continue;
        }
        const peakKb = /^VmHWM:\s+(\d+)/m.exec(read(pid, "status"))?.[1];
        // An ended process that still has an entry shows no memory: it keeps its last figures.
        if (peakKb === undefined) continue;
        // Read again each time: a process that was just started still shows its parent's command line.
        const commandLine = read(pid, "cmdline").replaceAll("\0", " ");
        seen.set(pid, { commandLine, cpuSeconds: stat.cpuSeconds, peakMb: Number(peakKb) / 1024 });
      } catch {
        // The process ended between two looks.
      }
    }
  };
  look();
  const timer = setInterval(look, intervalMs);

  return () => {
    clearInterval(timer);
    /** @type {Record<Role, Use>} */
    const uses = { program: nothing, provider: nothing, engine: nothing };
    for (const { commandLine, cpuSeconds, peakMb } of seen.values()) {
      const role = roleOf(commandLine);
      if (role === undefined) continue;
      const use = uses[role];
      uses[role] = { cpuSeconds: use.cpuSeconds + cpuSeconds, peakMb: Math.max(use.peakMb, peakMb) };
    }
    return uses;
  };
}

/** Ends the remaining processes of a session that we started: the engine gives its children their own process groups. @param {number} session */
export function endSession(session) {
  for (const pid of canMeasure ? readdirSync("/proc").filter((each) => /^\d/.test(each)) : []) {
    try {
      if (statOf(pid).session === session) process.kill(Number(pid), "SIGKILL");
    } catch {
      // Already ended; that is what we want.
    }
  }
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
