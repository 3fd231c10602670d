import { Worker } from "node:worker_threads";

/**
 * Kills a process, or a group if the id is negative, once the parent of this process has ended. In a thread, because a program
 * that never yields keeps this process from noticing anything.
 * @param graceMs The time to shut down gracefully.
 */
export function endWithParent(id: number, graceMs: number): void {
  const kill = `setTimeout(() => process.kill(${id}, "SIGKILL"), ${graceMs})`;
  const watch = `setInterval(() => process.ppid === ${process.ppid} || ${kill}, 500)`;
  new Worker(watch, { eval: true, execArgv: [] }).unref();
}
