import { Readable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { appFor } from "../../../service/dist/app.js";
import { Token } from "../../../service/dist/auth.js";
import { Counters } from "../../../service/dist/counters.js";
import { loadDocument } from "../../../service/dist/document.js";
import { randomKey } from "../../../service/dist/key.js";
import { operationsOf } from "../../../service/dist/operations.js";
import { openSqlite } from "../../../service/dist/store/sqlite.js";
import { Store } from "../../../service/dist/store/store.js";
import { Validator } from "../../../service/dist/validate.js";

/** The routes over a database in memory, and what they log. */
function routes() {
  const lines: string[] = [];
  const document = loadDocument();
  const sqlite = openSqlite(":memory:");
  const store = new Store(sqlite);
  const app = appFor({
    context: { store, key: randomKey(), showSecrets: false, kinds: [] },
    operations: operationsOf(document, "all"),
    servedDocument: document,
    validator: new Validator(document, { strict: false, parsesQueries: true }),
    strict: false,
    token: new Token(store, "t"),
    limit: undefined,
    counters: new Counters(),
    bodyLimit: 1_000_000,
    isDraining: () => false,
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  const headers = { "API-Token": "t", "X-Request-Id": "r-1", "Content-Type": "application/json" };
  const bytes = (body: unknown) => Readable.from(typeof body === "string" ? [Buffer.from(body)] : []);
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(
      `/api/v1/config${path}`,
      { headers, ...init },
      { incoming: Object.assign(bytes(init.body), { headers: { "content-type": headers["Content-Type"] } }) },
    );
  return { ask, sqlite, store, logged: () => lines.map((line): unknown => JSON.parse(line)) };
}

test("what the service cannot do is told to the log in full, and to the client by request id", async () => {
  const { ask, store, logged } = routes();
  store.find = () => {
    throw new Error("disk on fire");
  };
  const answer = await ask("/monitors/m");
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    code: 50001,
    message: "the service failed; its log tells why under the request id r-1",
  });
  expect(logged()).toContainEqual(
    expect.objectContaining({ requestId: "r-1", err: expect.objectContaining({ message: "disk on fire" }) }),
  );
});

test("a full disk is told to the log and to the client, stores nothing, and is over when there is room", async () => {
  const { ask, sqlite, logged } = routes();
  const post = (slug: string, length: number) =>
    ask("/notifiers", {
      method: "POST",
      body: JSON.stringify({
        notifier: { name: slug, slug, email: { to: "a@example.com", text: "x".repeat(length) } },
      }),
    });
  const [{ page_count }] = sqlite.prepare("pragma page_count").all() as [{ page_count: number }];
  sqlite.prepare(`pragma max_page_count = ${page_count + 10}`).all();
  const message = "the service is unable to write to its disk, nothing was stored";
  const answer = await post("big", 200_000);
  expect([answer.status, await answer.json()]).toEqual([
    507,
    { code: 50701, message: `${message}; its log tells why under the request id r-1` },
  ]);
  expect(logged()).toContainEqual(
    expect.objectContaining({
      level: 50,
      requestId: "r-1",
      msg: message,
      err: expect.objectContaining({ code: "SQLITE_FULL" }),
    }),
  );
  expect((await ask("/notifiers/big")).status).toBe(404);
  expect((await post("small", 10)).status).toBe(200);
  sqlite.prepare("pragma max_page_count = 100000").all();
  expect((await post("big", 200_000)).status).toBe(200);
});
