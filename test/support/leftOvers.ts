import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a test run its own folder for temporary files. At its end, names the files and processes that the tests have
 * left, and lets the run fail. That includes ports: each belongs to a process.
 */
export default function watch(): void {
  // Each project of the configuration calls this.
  if (process.env.TEST_RUN === String(process.pid)) return;
  process.env.TEST_RUN = String(process.pid);
  const folder = mkdtempSync(join(tmpdir(), "observability-run-"));
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
  // Later than every teardown.
  process.once("exit", () => {
    const left = [...readdirSync(folder).map((name) => join(folder, name)), ...processesIn(folder)];
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    console.error(["the tests have left:", ...left].join("\n  "));
    process.exitCode = 1;
  });
}

/** Running processes whose environment has the folder. Only Linux shows an environment. */
export function processesIn(folder: string): readonly string[] {
  const all = existsSync("/proc/self/environ") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  return all.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return command === "" ? [] : [`process ${pid}: ${command}`];
    } catch {
      return []; // It has ended, or belongs to another user.
    }
  });
}
