import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * Starts the reference service in its own process, so that its processor time is counted apart. It delays each request
 * of the interface.
 * @param {Pick<import("@pulumi-observability/service").ServiceOptions, "database" | "requestLimit">} [options]
 */
export async function startService(options = {}) {
  const child = fork(fileURLToPath(new URL("serviceProcess.mjs", import.meta.url)), { stdio: "inherit" });
  // It also ends by itself if we are killed.
  const kill = () => void child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  /** @template T @param {unknown} message @returns {Promise<T>} */
  const ask = (message) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error("the service of the bench ended early"));
      child.once("exit", fail);
      child.once("message", (answer) => {
        child.off("exit", fail);
        resolve(/** @type {T} */ (answer));
      });
      child.send(/** @type {import("node:child_process").Serializable} */ (message));
    });
  const { url, token } = /** @type {{ url: string, token: string }} */ (await ask({ start: options }));
  const headers = { "API-Token": token, "Content-Type": "application/json" };

  return {
    url,
    token,
    /** @param {number} milliseconds the delay of every request from now on */
    setLatency: (milliseconds) => ask({ latency: milliseconds }),
    /** @returns {Promise<number>} for how many milliseconds the event loop was held at most since the last call */
    takeStall: () => ask({ stall: true }),
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
