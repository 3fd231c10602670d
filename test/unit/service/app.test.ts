import { pino } from "pino";
import { expect, test } from "vitest";
import { appFor } from "../../../service/src/app.js";
import { tokenOf } from "../../../service/src/auth.js";
import { Counters } from "../../../service/src/counters.js";
import { loadDocument } from "../../../service/src/document.js";
import { randomKey } from "../../../service/src/key.js";
import { operationsOf } from "../../../service/src/operations.js";
import { openSqlite } from "../../../service/src/store/sqlite.js";
import { Validator } from "../../../service/src/validate.js";

test("what the service cannot do is told to the log in full, and to the client by request id", async () => {
  const lines: string[] = [];
  const document = loadDocument();
  const operations = operationsOf(document);
  const store = await openSqlite(":memory:");
  const find = () => Promise.reject(new Error("disk on fire"));
  const app = appFor({
    context: { store: { ...store, find }, key: randomKey(), showSecrets: false, titleOf: (kind: string) => kind },
    operations,
    served: new Set(operations),
    servedDocument: document,
    validator: new Validator(document, { strict: false, parsesQueries: true }),
    token: await tokenOf(store, "t"),
    limiter: undefined,
    counters: new Counters(),
    bodyLimit: 100,
    isDraining: () => false,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  const answer = await app.request("/api/v1/config/monitors/m", {
    headers: { "API-Token": "t", "X-Request-Id": "r-1" },
  });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    code: 50001,
    message: "the service failed; its log tells why under the request id r-1",
  });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ requestId: "r-1", err: expect.objectContaining({ message: "disk on fire" }) }),
  );
  await store.close();
});
