import { expect, test } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { caseOf } from "../../support/cases.js";
import { failing, type Fault, ownProxy, rateLimited, silent } from "../../support/faults.js";
import { listen } from "../../support/http.js";
import { settingsFor } from "../../support/settings.js";

const { kind } = caseOf("Notifier");

test.each<[string, Fault, RegExp]>([
  ["never answers", silent, /failed: no answer within [\d.]+ s$/],
  ["fails", failing(503), /answered 503.*\. Gave up after \d attempts? in [\d.]+ s \(request \S+\)$/],
  ["asks for a long wait", rateLimited("30"), /answered 429.*\. Gave up after 1 attempt in [\d.]+ s \(request \S+\)$/],
])("a proof ends in time if the service %s", async (_, fault, words) => {
  const proxy = await ownProxy("http://127.0.0.1:1");
  proxy.use(() => fault);
  const client = new Client(settingsFor(proxy.url, { requestTimeoutSecs: 60, retryBudgetSecs: 120 }));
  const proof = client.service.verify({ kind, slug: "any", until: performance.now() + 500 });
  await expect(proof).rejects.toThrow(words);
});

test("a proof fails each time if the service rejects every request", async () => {
  const url = await listen((_, response) => response.writeHead(405).end("Method Not Allowed"));
  const client = new Client(settingsFor(url, { requestTimeoutSecs: 60, retryBudgetSecs: 120 }));
  for (let i = 0; i < 2; i++)
    await expect(client.service.verify({ kind })).rejects.toThrow(/GET .*notifiers answered 405/);
});
