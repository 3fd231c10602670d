import { Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { startService } from "@pulumi-observability/service";

/** @typedef {Awaited<ReturnType<typeof startSlowService>>} Service */

let latencyMs = 0;

// Sends each answer at the earliest so long after its request. The service's own work is part of that time, as if it had
// its own processors. A proxy in front would do every byte's work twice, on the processors that are measured.
/** @type {(this: Server, ...args: any[]) => boolean} */
const emit = Server.prototype.emit;
/** @this {Server} @param {any[]} args */
Server.prototype.emit = function delayed(...args) {
  const [event, request, response] = args;
  if (event === "request" && latencyMs > 0 && request.url.startsWith("/api/")) {
    const due = setTimeout(latencyMs);
    for (const name of ["write", "end"]) {
      const method = response[name];
      /** @param {any[]} content */
      response[name] = (...content) => {
        void due.then(() => method.apply(response, content));
        return response;
      };
    }
  }
  return emit.apply(this, args);
};

/**
 * Starts the reference service in this process, of which nothing is measured.
 * @param {number} milliseconds the delay of every request of the API
 */
export async function startSlowService(milliseconds) {
  latencyMs = milliseconds;
  const service = await startService();
  return {
    url: service.url,
    token: service.token,
    /** The number of requests that were answered since the last call. */
    takeRequests() {
      const { total } = service.counters();
      service.resetCounters();
      return total;
    },
    stop: () => service.close(),
  };
}
