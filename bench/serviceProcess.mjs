import { Server } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { startService } from "@pulumi-observability/service";

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

/** @typedef {import("@pulumi-observability/service").ServiceOptions} ServiceOptions */

/** @typedef {{ start?: ServiceOptions, latency?: number, stall?: boolean }} Message */

const delay = monitorEventLoopDelay({ resolution: 1 });

process.on("message", async (/** @type {Message} */ { start, latency, stall }) => {
  if (start !== undefined) {
    const { url, token } = await startService(start);
    process.send?.({ url, token });
  }
  if (latency !== undefined) {
    latencyMs = latency;
    process.send?.({});
  }
  if (stall) {
    // A stall is counted when the next tick after it comes.
    await setTimeout(10);
    const nanoseconds = delay.max;
    delay.enable();
    delay.reset();
    process.send?.(nanoseconds / 1e6);
  }
});
process.on("disconnect", () => process.exit());
// A terminal sends Ctrl-C to us too, but our parent decides when we end.
process.on("SIGINT", () => undefined);
