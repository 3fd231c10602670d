import { createServer, request as send } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startHost } from "../support/host.js";
import { ask, ownService, token } from "../support/service.js";

/** A door in front of a service that keeps requests of one method waiting until it is opened. */
async function slowDoor(url: string, method: string) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let knocked = () => {};
  const knock = new Promise<void>((resolve) => {
    knocked = resolve;
  });
  const server = createServer(async (from, to) => {
    if (from.method === method) {
      knocked();
      await opened;
    }
    const on = send(url + from.url, { method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    from.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("a server has an address");
  return { url: `http://127.0.0.1:${address.port}`, knock, open };
}

const notifier = { name: "pager", slug: "pager", discard: true };

test("an interrupted process finishes the write that is under way, answers, and ends", async () => {
  const service = await ownService();
  const door = await slowDoor(service.url, "POST");
  const host = await startHost({ baseUrl: door.url, apiToken: token });
  onTestFinished(() => host.stop());
  const created = host.create("Notifier", notifier);
  await door.knock;
  host.interrupt();
  door.open();
  expect((await created).id).toBe("pager");
  await host.ended;
  expect((await ask(service, "GET", "/api/v1/config/notifiers/pager")).status).toBe(200);
});

test("an interrupted process gives up reading, starts nothing new, and ends", async () => {
  const service = await ownService();
  const door = await slowDoor(service.url, "GET");
  const host = await startHost({ baseUrl: door.url, apiToken: token });
  onTestFinished(() => host.stop());
  const reading = host.read("Notifier", "pager", { ...notifier, __observability: { baseUrl: door.url } });
  const failed = expect(reading).rejects.toThrow(/unable to read notifier "pager": .*interrupted/);
  await door.knock;
  host.interrupt();
  await failed;
  await host.ended;
  expect(service.counters().total).toBe(0);
});

test("an idle process ends at once", async () => {
  const service = await ownService();
  const host = await startHost({ baseUrl: service.url, apiToken: token });
  onTestFinished(() => host.stop());
  await host.check("Notifier", {}, { ...notifier, __ctx: { dryRun: true, name: "pager" } });
  host.interrupt();
  await host.ended;
});
