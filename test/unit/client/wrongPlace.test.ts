import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { untrusted } from "../../messages/unreachable.js";
import { caseOf } from "../../support/cases.js";
import { settingsFor } from "../../support/settings.js";

/** Something that is no configuration service, or one that is ill. */
async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
}

const list = (baseUrl: string) =>
  new Client(settingsFor(baseUrl, { requestTimeoutSecs: 1, retryBudgetSecs: 2 })).listed(
    caseOf("Notifier").kind,
    "pager",
  );

describe("a base URL with the other scheme is told with the way out", () => {
  test("https to a port for http", async () => {
    const url = (await answering((_, response) => response.end("{}"))).replace("http:", "https:");
    await expect(list(url)).rejects.toThrow(
      `to "${url}" found no TLS at that port: write http:// in baseUrl if the service speaks plain http, else the port for https`,
    );
  });

  test("http to a port for https that closes the connection", async () => {
    const url = (await untrusted()).replace("https:", "http:");
    await expect(list(url)).rejects.toThrow(
      /was interrupted: .*; if that port is for https, write https:\/\/ in baseUrl/,
    );
  });

  test.each([
    ["nginx", "<title>400 The plain HTTP request was sent to HTTPS port</title>"],
    ["Go", "Client sent an HTTP request to an HTTPS server.\n"],
    ["Apache", "<p>Reason: You're speaking plain HTTP to an SSL-enabled server port.<br /></p>"],
  ])("http to a port for https that says so, as %s does", async (_, text) => {
    const url = await answering((_, response) => response.writeHead(400).end(text));
    await expect(list(url)).rejects.toThrow(`to "${url}" found a port for https: write https:// in baseUrl`);
  });
});

describe("a redirect is not followed, and its target is told without what may be secret", () => {
  test.each([
    ["https://user:password@sso.example.com/login?next=secret#part", "https://sso.example.com/login"],
    ["/login?next=secret", "<origin>/login"],
  ])("to %s", async (location, told) => {
    let requests = 0;
    const url = await answering((_, response) => {
      requests += 1;
      response.writeHead(302, { location }).end();
    });
    await expect(list(url)).rejects.toThrow(
      `GET /api/v1/config/notifiers answered 302: a redirect to "${told.replace("<origin>", url)}", which is not followed, ` +
        "because the token would go there too: set baseUrl to the configuration service's own address (request ",
    );
    expect(requests).toBe(1);
  });

  test.each([{}, { location: "http://[" }])("without a target: %o", async (headers) => {
    const url = await answering((_, response) => response.writeHead(301, headers).end());
    await expect(list(url)).rejects.toThrow("answered 301: a redirect, which is not followed");
  });
});

describe("a success of something that is no configuration service is an error with the address", () => {
  const doubt = (url: string) => `; is baseUrl "${url}" the configuration service's address?`;

  test.each<[string, string]>([
    ["{}", "answered {}"],
    ["", "answered {}"],
    ['{"status":"a-secret","notifiers":[]}', "answered {status, notifiers}"],
  ])("%j in place of a page", async (text, told) => {
    const url = await answering((_, response) => response.end(text));
    await expect(list(url)).rejects.toThrow(
      `${told} where an array "notifiers" and an object "page" are expected${doubt(url)}`,
    );
  });

  test("{} in place of an object", async () => {
    const url = await answering((_, response) => response.end("{}"));
    const { kind } = caseOf("Dataset");
    const got = new Client(settingsFor(url, { requestTimeoutSecs: 1, retryBudgetSecs: 2 })).get(kind, "logs");
    await expect(got).rejects.toThrow(
      `GET /api/v1/config/datasets/logs answered {} where "dataset" is expected${doubt(url)}`,
    );
  });

  test("a page of HTML", async () => {
    const url = await answering((_, response) =>
      response.setHeader("content-type", "text/html").end("<html>Sign in</html>"),
    );
    await expect(list(url)).rejects.toThrow(
      `text/html beginning "<html>Sign in</html>" where a JSON object is expected${doubt(url)}`,
    );
  });
});

test("an answer that trickles in ends with the request's own time", async () => {
  const url = await answering((_, response) => {
    const trickle = setInterval(() => response.write(" "), 200);
    response.once("close", () => clearInterval(trickle));
  });
  const start = performance.now();
  await expect(list(url)).rejects.toThrow(`GET /api/v1/config/notifiers to "${url}" got no whole answer within 1 s`);
  expect(performance.now() - start).toBeLessThan(5_000);
});
