import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { argsWith, caseOf } from "../support/cases.js";
import { atEnd } from "../support/ends.js";
import * as faults from "../support/faults.js";
import { startHost } from "../support/host.js";
import { portOf } from "../support/http.js";
import { start } from "../support/run.js";
import { ownService, token } from "../support/service.js";

const failingForLong = faults.failing(503, undefined, { "retry-after": "15" });

/** What a provider sees of an engine: a process that listens. */
async function newEngine() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)));
  const die = () => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  };
  atEnd(die);
  return { address: `127.0.0.1:${await portOf(server)}`, die };
}

test("a provider ends with its engine, even if it prints what nobody reads any more", async () => {
  const proxy = await faults.ownProxy((await ownService()).url);
  const engine = await newEngine();
  // Without a listener, the error of such a write is printed, which is the next error.
  const prints = `data:text/javascript,process.on("SIGUSR2",()=>process.stderr.write("unread"))`;
  const env = { NODE_OPTIONS: `--import ${JSON.stringify(prints)}` };
  const host = await startHost({ baseUrl: proxy.url, apiToken: token }, engine.address, env);
  proxy.use((arrival) => (faults.isWrite(arrival) ? failingForLong : undefined));
  const creating = host.create("Monitor", argsWith(caseOf("Monitor"), "late")).catch(String);
  await faults.until(() => proxy.arrivals().some(faults.isWrite), "the first attempt");
  host.closePipes();
  host.interrupt("SIGUSR2");
  engine.die();
  await Promise.all([host.ended, creating]);
  expect(proxy.arrivals().filter(faults.isWrite)).toHaveLength(1);
});

test("a plugin ends with its engine, even if that has called nothing yet", async () => {
  const engine = await newEngine();
  const main = join(import.meta.dirname, "../../dist/provider/plugin/main.js");
  const plugin = start(process.execPath, [main, engine.address], { cwd: import.meta.dirname });
  await faults.until(() => plugin.text().includes("\n"), "the plugin's port");
  engine.die();
  expect((await plugin.ended).code).toBe(0);
});
