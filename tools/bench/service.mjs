import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * Starts the reference service in its own process, so that its processor time is counted apart. It delays each request
 * of the interface.
 */
export async function startService() {
  const child = fork(fileURLToPath(new URL("serviceProcess.mjs", import.meta.url)), { stdio: "inherit" });
  // It also ends by itself if we are killed.
  const kill = () => void child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the service of the bench ended early")));
  ended.catch(() => undefined); // As stop wants; anybody who waits for an answer still sees it.
  const answer = () => Promise.race([once(child, "message"), ended]);
  const [{ url, token }] = await answer();
  const headers = { "API-Token": token, "Content-Type": "application/json" };

  return {
    url,
    token,
    /** @param {number} milliseconds the delay of every request from now on */
    async setLatency(milliseconds) {
      child.send(milliseconds);
      await answer();
    },
    /** @returns {Promise<number>} the requests that were answered since the last call */
    async takeRequests() {
      const response = await fetch(`${url}/-/counters`, { headers });
      const { total } = /** @type {{ total: number }} */ (await response.json());
      await fetch(`${url}/-/counters`, { method: "DELETE", headers });
      return total;
    },
    /** @param {string} method @param {string} path @param {unknown} [body] */
    async ask(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      // Already gone; that is what delete wants.
      if (method === "DELETE" && response.status === 404) return;
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    },
    async stop() {
      process.off("exit", kill);
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
