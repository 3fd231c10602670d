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
  if (/\/cmd\/run\b|\/cli\/main\.js | -e /.test(commandLine)) return "program";
  return /^(\S*\/)?pulumi(\.exe)? /.test(commandLine) ? "engine" : undefined;
}

/**
 * Watches the processes of a session. The last 50 ms of a process may be lost.
 * @param {number} session the process id of the one that started it
 * @returns what ends the watch and the remaining processes, because the engine gives its children their own process groups.
 *   It returns the total processor time and the largest resident memory of one process by role.
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
  const kill = () => each((pid) => process.kill(Number(pid), "SIGKILL"));
  process.prependOnceListener("exit", kill); // Before the working folder is removed.
  look();
  const timer = setInterval(look, intervalMs);

  return () => {
    clearInterval(timer);
    process.off("exit", kill);
    kill();
    return canMeasure ? { program: use("program"), provider: use("provider"), engine: use("engine") } : undefined;
  };

  /** @param {Role} role @returns {Use} */
  function use(role) {
    const own = [...seen.values()].filter(({ commandLine }) => roleOf(commandLine) === role);
    return {
      cpuSeconds: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      peakMb: Math.max(0, ...own.map(({ peakMb }) => peakMb)),
    };
  }
}

/** @param {string} pid */
function statOf(pid) {
  // The fields start after the process name, which may hold any character.
  const fields = read(pid, "stat").split(") ").at(-1)?.split(" ").map(Number) ?? [];
  const [user = 0, system = 0] = fields.slice(11, 13);
  return { session: fields[3] ?? 0, cpuSeconds: (user + system) / ticksPerSecond };
}

/** @param {string} pid @param {string} file */
const read = (pid, file) => readFileSync(`/proc/${pid}/${file}`, "latin1");
