import net, { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { answerOf } from "../../../dist/provider/client/answers.js";
import { connectionError } from "../../../dist/provider/client/connection.js";
import { Client } from "../../../dist/provider/client/client.js";
import { monitor } from "../../../dist/provider/kinds/monitor.js";
import { portOf } from "../../support/http.js";
import { settingsFor } from "../../support/settings.js";

const exchange = {
  operation: monitor.operations.update,
  what: "PUT /x",
  baseUrl: "https://x.example.com",
  requestId: "1",
};

const rejected = (body: object) => () =>
  answerOf(exchange, { status: 400, headers: {}, text: JSON.stringify(body) }, body);

test.each([
  [{ message: "quota exceeded" }],
  [{ error: "quota exceeded" }],
  [{ error: { message: "quota exceeded" } }],
  [{ title: "Bad Request", detail: "quota exceeded" }],
  [{ title: "quota exceeded" }],
  [{ msg: "quota exceeded" }],
  [{ title: "Bad Request", errors: [{ message: "quota exceeded" }] }],
  [{ errors: ["quota exceeded"] }],
  [{ fault: { faultstring: "quota exceeded" } }],
])("the reason of a service is shown from %j", (body) => {
  expect(rejected(body)).toThrow(/^PUT \/x answered 400: quota exceeded \(request 1\)$/);
});

test("a problem with a path is not shown twice", () => {
  const body = { errors: [{ path: "name", message: "too long" }], fault: {} };
  const message = "PUT /x answered 400 (request 1)";
  expect(rejected(body)).toThrow(expect.objectContaining({ message, problems: body.errors }));
});

const sendTo = (url: string) => {
  const settings = settingsFor(url, { requestTimeoutSecs: 5, retryBudgetSecs: 1, allowInsecure: true });
  return new Client(settings).send({ operation: monitor.operations.update, path: "/one", body: {} });
};

test.each([
  [
    "EHOSTUNREACH",
    "connect EHOSTUNREACH 10.0.0.1:80",
    "no connection: connect EHOSTUNREACH 10.0.0.1:80. Check baseUrl",
  ],
  // Node's error if the host has several addresses has no message.
  ["ENETUNREACH", "", "no connection: ENETUNREACH. Check baseUrl"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "", "the certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN). If you trust it, set"],
  ["CERT_HAS_EXPIRED", "", "the certificate has expired. Ask the operators of the service to renew it"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "", "the certificate is for another host. Check the host name in baseUrl"],
  [
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    "",
    "the service rejected the TLS connection (ERR_SSL_TLSV13_ALERT_CERT",
  ],
])("a write that meets %s before it is sent has not arrived", async (code, message, words) => {
  const connect = vi.spyOn(net, "connect").mockImplementation(() => {
    const socket = new net.Socket();
    setImmediate(() => socket.destroy(Object.assign(new Error(message), { code })));
    return socket;
  });
  onTestFinished(() => connect.mockRestore());
  await expect(sendTo("http://config.invalid")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining(`PUT /one to "http://config.invalid" failed: ${words}`),
    facts: { mayHaveArrived: false },
  });
});

test("a write whose connection ends before TLS is complete has not arrived", async () => {
  const server = createServer((socket) => socket.end());
  onTestFinished(() => void server.close());
  const sent = sendTo(`https://127.0.0.1:${await portOf(server)}`);
  await expect(sent).rejects.toMatchObject({ code: "unreachable", facts: { mayHaveArrived: false } });
});

test.each([
  ["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", true],
  // In TLS 1.3 the request is on its way when the server asks for the client's certificate.
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", false],
])("a write that %s ends after it was sent: may have arrived %s", (code, mayHaveArrived) => {
  const unanswered = {
    request: "PUT /one",
    url: "https://x.example.com",
    setting: "baseUrl",
    limitMs: 1,
    speaksHttp: true,
  };
  expect(connectionError(unanswered, Object.assign(new Error(), { code }))).toMatchObject({
    facts: { mayHaveArrived },
  });
});
