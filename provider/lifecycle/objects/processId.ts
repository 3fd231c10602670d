import { readFileSync } from "node:fs";
import { tried } from "../../wire/json";

/** This process: its id and its start, because another process gets the id later. */
export const processId = `${process.pid}.${startOf(String(process.pid))}`;

/** Whether a process has not ended. @param id As in `processId`; without a start, any process with its number is taken for it. */
export function isRunning(id: string): boolean {
  const [pid = "", start = ""] = id.split(".");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false; // EPERM: another user's process
  }
  const now = startOf(pid);
  return start === "" || now === "" || now === start;
}

/** When a process has started, in Linux's own unit; empty if the system does not tell. */
function startOf(pid: string): string {
  // The name of the program, which ends with the last parenthesis, may have spaces.
  const text = tried(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const [state, ...fields] = text?.split(") ").at(-1)?.split(" ") ?? [];
  // Killed, but its parent has not noticed it yet.
  return state === "Z" ? "ended" : (fields[18] ?? "");
}
