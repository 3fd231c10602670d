import { expect, test } from "vitest";
import { create, monitor, notifier, start } from "./service.js";

test("requests are counted by operation, flags and status", async () => {
  const client = await start();
  await create(client, monitor, "a");
  await create(client, monitor, "b");
  await client.put("/monitors/a", { monitor: monitor.valid, dry_run: true });
  await client.put("/monitors/a", { monitor: {}, dry_run: true });
  await client.get("/monitors/none");
  await client.post("/notifiers", "{");
  await client.send("/notifiers");
  await client.get("/none");
  const one = "/api/v1/config/monitors/{slug}";
  const all = "/api/v1/config/notifiers";
  const { total, requests } = client.service.counters();
  expect(total).toBe(8);
  expect(Object.keys(requests[0] ?? {}).join()).toBe("operation,method,path,dryRun,createIfMissing,status,count");
  expect(requests.map((each) => Object.values(each))).toEqual([
    ["updateMonitor", "PUT", one, false, true, 200, 2],
    ["updateMonitor", "PUT", one, true, false, 200, 1],
    ["updateMonitor", "PUT", one, true, false, 400, 1],
    ["getMonitor", "GET", one, false, false, 404, 1],
    ["createNotifier", "POST", all, false, false, 400, 1],
    ["listNotifiers", "GET", all, false, false, 401, 1],
    [null, "GET", "*", false, false, 404, 1],
  ]);
});

test("counters are read and reset over HTTP, with the token, and do not count themselves", async () => {
  const client = await start();
  await create(client, notifier, "n");
  await fetch(`${client.service.url}/healthz`);
  expect((await client.send("/-/counters")).status).toBe(401);
  expect((await client.send("/-/counters", { method: "DELETE" })).status).toBe(401);
  const { body } = await client.get("/-/counters");
  expect(body).toEqual(client.service.counters());
  expect(body.total).toBe(1);
  expect((await client.delete("/-/counters")).body).toEqual({});
  expect((await client.get("/-/counters")).body).toEqual({ total: 0, requests: [] });
});
