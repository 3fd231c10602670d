import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { readSettings } from "../../../dist/provider/client/settings.js";
import { caseOf } from "../../support/cases.js";
import { ownService, token } from "../../support/service.js";

beforeEach(() => {
  for (const name of ["http_proxy", "https_proxy", "no_proxy"]) vi.stubEnv(name, undefined);
});
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
    onTestFinished(() => void onward.destroy());
  });
  onTestFinished(() => void proxy.close());
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`); // It listens on a port.
  const list = (baseUrl: string) => {
    const texts: Record<string, string> = { baseUrl, apiToken: token, allowInsecure: "true" };
    return new Client(readSettings((name) => texts[name])).listBySlugs(caseOf("Notifier").kind, ["pager"]);
  };
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
