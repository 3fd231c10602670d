import { Server } from "node:http";
import { startService } from "@pulumi-observability/service";

let latencyMs = 0;

// The delay is put between the arrival of a request and the service's hearing of it. A proxy in front would do every
// byte's work twice, on processors that what is measured needs too.
/** @type {(this: Server, ...args: any[]) => boolean} */
const emit = Server.prototype.emit;
/** @this {Server} @param {any[]} args */
Server.prototype.emit = function delayed(...args) {
  const [event, request] = args;
  if (event !== "request" || latencyMs === 0 || !request.url.startsWith("/api/")) return emit.apply(this, args);
  setTimeout(() => {
    if (waiting.push(() => emit.apply(this, args)) === 1) setImmediate(hearOne);
  }, latencyMs);
  return true;
};

// One at a time: what arrives while others are heard begins to wait at once, as it would on the way.
/** @type {(() => void)[]} */
const waiting = [];
function hearOne() {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) setImmediate(hearOne);
}

/** @typedef {import("@pulumi-observability/service").ServiceOptions} ServiceOptions */

process.on("message", async (/** @type {{ start?: ServiceOptions, latency?: number }} */ { start, latency }) => {
  if (start !== undefined) {
    const { url, token } = await startService(start);
    process.send?.({ url, token });
  }
  if (latency !== undefined) {
    latencyMs = latency;
    process.send?.({});
  }
});
process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches us too; who started us says when to go.
process.on("SIGINT", () => undefined);
