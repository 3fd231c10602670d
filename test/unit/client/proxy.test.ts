import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { caseOf } from "../../support/cases.js";
import { stubProxy } from "../../support/proxy.js";
import { ownService } from "../../support/service.js";
import { settingsFor } from "../../support/settings.js";

afterEach(() => void vi.unstubAllEnvs());

/** A service, and a proxy that takes every address for the service's; which ones it was asked for. */
async function ownProxiedService() {
  const service = await ownService();
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    const onward = connect(service.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    onTestFinished(() => {
      onward.destroy();
      socket.destroy();
    });
  });
  onTestFinished(() => void proxy.close());
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  stubProxy(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`); // It listens on a port.
  const limits = { requestTimeoutSecs: 30, retryBudgetSecs: 60, allowInsecure: true };
  const list = (baseUrl: string) =>
    new Client(settingsFor(baseUrl, limits)).list(caseOf("Notifier").kind, { slugs: ["pager"] });
  return { service, asked, list };
}

test("a service on another machine is asked through the environment's proxy", async () => {
  const { service, asked, list } = await ownProxiedService();
  expect(await list("http://config.invalid")).toEqual([]);
  expect(asked).toEqual(["config.invalid:80"]);
  expect(service.counters().total).toBe(1);
});

test("but not one that NO_PROXY names", async () => {
  const { asked, list } = await ownProxiedService();
  vi.stubEnv("NO_PROXY", ".invalid");
  await expect(list("http://config.invalid")).rejects.toThrow("found no such host");
  expect(asked).toEqual([]);
});

test("nor one on this machine", async () => {
  const { service, asked, list } = await ownProxiedService();
  expect(await list(service.url)).toEqual([]);
  expect(asked).toEqual([]);
});
