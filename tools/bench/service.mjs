import { Server } from "node:http";
import { setTimeout } from "node:timers/promises";

export { startService } from "@pulumi-observability/service";

/** The delay of every request of the API. */
export const latencyMs = 50;

// Sends each answer at the earliest so long after its request. The service's own work is part of that time, as if it had
// its own processors. A proxy in front would do every byte's work twice, on the processors that are measured.
/** @type {(this: Server, ...args: any[]) => boolean} */
const emit = Server.prototype.emit;
/** @this {Server} @param {any[]} args */
Server.prototype.emit = function delayed(...args) {
  const [event, request, response] = args;
  if (event === "request" && request.url.startsWith("/api/")) {
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
