import { expect, test } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { caseOf } from "../../support/cases.js";
import { failing, type Fault, html, ownProxy, rateLimited, silent } from "../../support/faults.js";
import { settingsFor } from "../../support/settings.js";

const { kind } = caseOf("Notifier");
const behind = async (fault: Fault) => {
  const proxy = await ownProxy("http://127.0.0.1:1");
  proxy.use(() => fault);
  return proxy.url;
};

test.each<[string, () => Promise<string>, RegExp]>([
  ["never answers", () => behind(silent), /got no answer within 0.\d s/],
  ["fails", () => behind(failing(503)), /answered 503.*; given up after \d attempts? in [\d.]+ s \(request \S+\)$/],
  [
    "is behind a gateway that fails",
    () => behind(html(502)),
    /answered 502.*; given up after \d attempts? in [\d.]+ s \(request \S+\)$/,
  ],
  [
    "asks for a long wait",
    () => behind(rateLimited("30")),
    /answered 429.*; given up after 1 attempt in [\d.]+ s \(request \S+\)$/,
  ],
])("a proof is given up in time if the service %s", async (_, start, words) => {
  const client = new Client(settingsFor(await start(), { requestTimeoutSecs: 60, retryBudgetSecs: 120 }));
  const proof = client.proveAddress({ kind, slug: "any", other: kind, until: Date.now() + 500 });
  await expect(proof).rejects.toThrow(words);
});
