import { createServer } from "node:http";
import { connect } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { cert, key } from "../../messages/unreachable.js";
import { caseOf } from "../../support/cases.js";
import { ownFolder } from "../../support/folders.js";
import { startHost } from "../../support/host.js";
import { portOf } from "../../support/http.js";
import { stubProxy } from "../../support/proxy.js";
import { ownService, token } from "../../support/service.js";
import { settingsFor } from "../../support/settings.js";

afterEach(() => void vi.unstubAllEnvs());

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;

/**
 * A service, and the environment's proxy, which takes every address for the service's and notes the ones that it was
 * asked for.
 * @param user What the environment says before the proxy's host, such as `user:password@`. The proxy wants "me:pass word".
 */
async function ownProxiedService(user?: string) {
  const service = await ownService();
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "", headers }, socket) => {
    asked.push(url);
    if (user !== undefined && headers["proxy-authorization"] !== basic("me:pass word"))
      return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    if (url.startsWith("silent.")) return socket.on("error", () => undefined);
    if (url.startsWith("closed.")) return socket.end();
    if (url.startsWith("down.")) return socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
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
  stubProxy(`http://${user ?? ""}127.0.0.1:${await portOf(proxy)}`);
  const limits = { requestTimeoutSecs: 5, retryBudgetSecs: 1, allowInsecure: true };
  const list = (baseUrl: string, more = {}) =>
    new Client(settingsFor(baseUrl, { ...limits, ...more })).reader.list(caseOf("Notifier").kind);
  return { service, asked, list };
}

test.each([
  ["without a password", undefined],
  ["with a password", "me:pass%20word@"],
])("a service on another machine is asked through the environment's proxy %s", async (_, user) => {
  const { service, asked, list } = await ownProxiedService(user);
  expect(await list("http://config.invalid")).toEqual([]);
  expect(asked).toEqual(["config.invalid:80"]);
  expect(service.counters().total).toBe(1);
});

test("a proxy that rejects the password is asked once, lets no request through, and the failure does not show the password", async () => {
  const { service, asked, list } = await ownProxiedService("me:a-wrong-one@");
  await expect(list("http://config.invalid")).rejects.toThrow(/^(?!.*a-wrong-one)GET .* to "http:\/\/config.invalid"/s);
  expect([asked.length, service.counters().total]).toEqual([1, 0]);
});

test("a proxy that can't reach the service is named with its answer, and asked again", async () => {
  const { asked, list } = await ownProxiedService();
  await expect(list("http://down.invalid")).rejects.toThrow(/proxy.*503\. Gave up after/s);
  expect(asked.length).toBeGreaterThan(1);
});

test.each([
  [
    "silent",
    "timeout",
    "no connection within 1 s. Check baseUrl and the proxy in HTTPS_PROXY or HTTP_PROXY, and check",
  ],
  ["closed", "unreachable", "no connection: "],
])("a proxy that is %s instead of opening the tunnel has sent nothing", async (host, code, words) => {
  const { service, list } = await ownProxiedService();
  const error = await list(`http://${host}.invalid`, { requestTimeoutSecs: 1 }).catch((failed: unknown) => failed);
  expect(error).toMatchObject({ code, message: expect.stringContaining(words), facts: { mayHaveArrived: false } });
  expect(service.counters().total).toBe(0);
});

test("a proxy that is asked in https but speaks http is named with the setting to change", async () => {
  const { list } = await ownProxiedService();
  stubProxy(process.env.HTTP_PROXY?.replace("http:", "https:"));
  const words =
    /not use TLS\. .*\. If that is the proxy's port, write http:\/\/ in HTTPS_PROXY or HTTP_PROXY\. If it is/;
  for (const scheme of ["http", "https"]) await expect(list(`${scheme}://config.invalid`)).rejects.toThrow(words);
});

test("a service that NO_PROXY names is not asked through the environment's proxy", async () => {
  const { asked, list } = await ownProxiedService();
  vi.stubEnv("NO_PROXY", ".invalid");
  await expect(list("http://config.invalid")).rejects.toThrow("host not found");
  expect(asked).toEqual([]);
});

test("a service on this machine is not asked through the environment's proxy", async () => {
  const { service, asked, list } = await ownProxiedService();
  expect(await list(service.url)).toEqual([]);
  expect(asked).toEqual([]);
});

test("a provider trusts a service whose certificate NODE_EXTRA_CA_CERTS names", async () => {
  const service = await ownService();
  const server = createTlsServer({ key, cert }, (socket) => {
    const onward = connect(service.port, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on("error", () => [socket, onward].forEach((one) => one.destroy()));
  });
  onTestFinished(() => void server.close());
  const baseUrl = `https://127.0.0.1:${await portOf(server)}`;
  const authority = `${ownFolder({ "authority.pem": cert })}/authority.pem`;
  const host = await startHost({ baseUrl, apiToken: token }, undefined, { NODE_EXTRA_CA_CERTS: authority });
  onTestFinished(() => host.stop());
  const declared = { ...caseOf("Notifier").args, __ctx: { dryRun: true, name: "pager", instance: "1" } };
  expect(await host.check("Notifier", {}, declared)).toMatchObject({ failures: [] });
  expect(service.counters().total).toBeGreaterThan(0);
});
