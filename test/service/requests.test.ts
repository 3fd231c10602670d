import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadDocument } from "../../service/dist/document.js";
import { httpServer, listen } from "../../service/dist/http.js";
import { create, monitor, notifier, start } from "./service.js";

const json = { "Content-Type": "application/json" };

describe("the token", () => {
  test("is asked for before anything else is looked at", async () => {
    const { send } = await start();
    const answers = await Promise.all([
      send("/notifiers"),
      send("/notifiers", { method: "POST", body: "no JSON" }),
      send("/monitors/none", { method: "PUT", headers: json, body: "{}" }),
      send("/monitors/none", { method: "PATCH" }),
      send("/no-such-thing"),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({ code: 40101, message: "the header API-Token is missing" });
    }
  });

  test.each<[sentence: string, headers: Record<string, string>]>([
    ["is wrong", { "API-Token": "wrong-one" }],
    ["is missing", {}],
    ["is empty", { "API-Token": "" }],
    ["is the beginning of the right one", { "API-Token": "righ" }],
    ["is in another header", { Authorization: "Bearer right" }],
  ])("is refused by every operation if it %s, and not repeated", async (_sentence, headers) => {
    const client = await start({ token: "right" });
    await create(client, notifier, "one");
    for (const [path, item] of Object.entries(loadDocument().paths)) {
      for (const method of Object.keys(item)) {
        const { status, body } = await client.send(path.replace("{slug}", "one"), {
          method: method.toUpperCase(),
          headers: { ...headers, ...json },
          ...(method === "get" ? {} : { body: JSON.stringify({ notifier: notifier.valid, create_if_missing: true }) }),
        });
        expect([status, body.code], `${method} ${path}`).toEqual([401, 40101]);
        if (headers["API-Token"]) expect(body.message).toBe("the token in the header API-Token is not valid here");
      }
    }
    const { requests } = client.service.counters();
    expect(requests.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await client.get("/notifiers")).body.notifiers).toMatchObject([{ slug: "one" }]);
  });
});

describe("every answer", () => {
  test("carries Date, a request id and JSON, errors too", async () => {
    const { get, send } = await start();
    for (const answer of await Promise.all([
      get("/notifiers"),
      get("/none"),
      get("/notifiers/none"),
      send("/monitors"),
    ])) {
      expect(Date.parse(answer.headers.get("date") ?? "")).toBeGreaterThan(0);
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });

  test("repeats the request id of the client, unless it is unfit for a log", async () => {
    const { send } = await start();
    expect((await send("/none", { headers: { "X-Request-Id": "mine-1" } })).headers.get("x-request-id")).toBe("mine-1");
    const long = await send("/none", { headers: { "X-Request-Id": "x".repeat(500) } });
    expect(long.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("the router", () => {
  test("tells a missing route from a missing object", async () => {
    const { get } = await start();
    expect((await get("/no-such-kind")).body).toEqual({
      code: 40402,
      message: "GET /api/v1/config/no-such-kind is not served here",
    });
    expect((await get("/notifiers/none")).body).toEqual({ code: 40401, message: 'there is no notifier "none"' });
    expect((await get("/notifiers/none/more")).body.code).toBe(40402);
    expect((await get("/api/v2/config/notifiers")).body.code).toBe(40402);
  });

  test("answers 405 with the methods that are served", async () => {
    const { service, send } = await start();
    const { status, headers, body } = await send("/monitors/m", {
      method: "PATCH",
      headers: { "API-Token": service.token },
    });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD, PUT, DELETE");
    expect(body.code).toBe(40501);
  });

  test("answers unknown paths outside of the interface in JSON, too", async () => {
    const { service } = await start();
    const response = await fetch(`${service.url}/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ code: 40402, message: "GET / is not served here" });
  });

  test("takes a slug in any encoding of the path", async () => {
    const client = await start();
    await create(client, notifier, "a_B-1");
    expect((await client.get("/notifiers/%61_B-1")).status).toBe(200);
    expect((await client.get("/notifiers/%zz")).status).toBe(404);
    expect((await client.get("/notifiers/a%2FB")).status).toBe(404);
  });

  test("needs no token for health and the interface document", async () => {
    const { service } = await start();
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toMatchObject({ openapi: "3.1.0" });
  });
});

describe("a body", () => {
  test("must be application/json", async () => {
    const { service, send } = await start();
    const post = (type: string | undefined, more = {}) =>
      send("/notifiers", {
        method: "POST",
        headers: { "API-Token": service.token, ...(type === undefined ? {} : { "Content-Type": type }), ...more },
        body: Buffer.from(JSON.stringify({ notifier: notifier.valid })),
      });
    expect((await post("text/plain")).body).toEqual({
      code: 41501,
      message: 'expected Content-Type application/json, got "text/plain"',
    });
    expect((await post(undefined)).status).toBe(415);
    expect((await post("application/json", { "Content-Encoding": "gzip" })).status).toBe(415);
    expect((await post("application/json; charset=utf-8")).status).toBe(200);
  });

  test("must be a JSON object with the resource", async () => {
    const { post } = await start();
    expect((await post("/notifiers", "")).body).toEqual({ code: 400008, message: "the body is empty, expected JSON" });
    expect((await post("/notifiers", '{"notifier": s3cret}')).body).toEqual({
      code: 400008,
      message: "the body is not JSON",
    });
    expect((await post("/notifiers", [])).body.errors).toEqual([
      { path: "", message: "expected an object, got an array" },
    ]);
    expect((await post("/notifiers", {})).body.errors).toEqual([{ path: "notifier", message: "is required" }]);
    expect((await post("/notifiers", { notifier: null })).body.errors).toEqual([
      { path: "notifier", message: "is required" },
    ]);
    expect((await post("/notifiers", { notifier: "x", dry_run: 1 })).body.errors).toEqual(
      expect.arrayContaining([
        { path: "", message: "expected an object, got a string" },
        { path: "dry_run", message: "expected a boolean, got a number" },
      ]),
    );
  });

  test("may have up to the limit, announced or in chunks", async () => {
    const { service, post } = await start({ bodyLimit: 2_000 });
    const long = { notifier: { ...notifier.valid, email: { to: "a", text: "x".repeat(3_000) } } };
    expect((await post("/notifiers", long)).body).toEqual({
      code: 41301,
      message: "the body has more than 2000 bytes",
    });
    const status = await new Promise((done, fail) => {
      const upload = request(`${service.url}/api/v1/config/notifiers`, {
        method: "POST",
        headers: { ...json, "API-Token": service.token, "Transfer-Encoding": "chunked" },
      });
      upload.on("response", (response) => done(response.resume().statusCode)).on("error", fail);
      upload.write(JSON.stringify(long).slice(0, 2_500));
      upload.write(JSON.stringify(long).slice(2_500));
      upload.end();
    });
    expect(status).toBe(413);
  });

  test.each([
    ["in chunks", ['{"notifier":', JSON.stringify({ ...notifier.valid, slug: "n" }), "}"]],
    ["in one chunk", [JSON.stringify({ notifier: { ...notifier.valid, slug: "n" } })]],
  ])("that comes %s is taken like one of a given length", async (_, chunks) => {
    const { service, get } = await start({ bodyLimit: 2_000 });
    const response = await fetch(`${service.url}/api/v1/config/notifiers`, {
      method: "POST",
      headers: { ...json, "API-Token": service.token },
      body: Readable.toWeb(Readable.from(chunks.map((each) => Buffer.from(each)))) as ReadableStream,
      duplex: "half",
    } as RequestInit); // The types of Node 20 do not know `duplex`.
    expect([response.status, await response.json()]).toMatchObject([200, { notifier: { slug: "n" } }]);
    expect((await get("/notifiers/n")).status).toBe(200);
  });

  test.each(["Content-Length: 500", "Transfer-Encoding: chunked"])(
    "that ends early is no error of the service (%s)",
    async (length) => {
      const lines: string[] = [];
      const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });
      const { service, get } = await start({ log });
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      socket.write(`PUT /api/v1/config/monitors/m HTTP/1.1\r\nHost: x\r\nAPI-Token: ${service.token}\r\n`);
      socket.write(`Content-Type: application/json\r\n${length}\r\n\r\n5\r\n{"cre\r\n`);
      await get("/monitors");
      socket.resetAndDestroy();
      while (!lines.some((line) => line.includes('"PUT"'))) await get("/healthz");
      expect(lines.join("")).not.toMatch(/"level":50|"status":500/);
    },
  );

  test("of a mebibyte is too large by default", async () => {
    const { post } = await start();
    expect((await post("/notifiers", `{"x":"${"x".repeat(1_048_577)}"}`)).status).toBe(413);
  });

  test("that ends early changes nothing", async () => {
    const client = await start();
    const { hostname, port } = new URL(client.service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`PUT /api/v1/config/monitors/m HTTP/1.1\r\nHost: x\r\nAPI-Token: ${client.service.token}\r\n`);
    socket.write(`Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"create_if_missing":true`);
    socket.destroySoon();
    await new Promise((done) => socket.on("close", done));
    expect((await client.get("/monitors/m")).status).toBe(404);
  });
});

describe("what is no HTTP", () => {
  const raw = (url: string, text: string): Promise<string> =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(url);
      let answer = "";
      connect(Number(port), hostname)
        .on("data", (chunk) => (answer += chunk))
        .on("end", () => done(answer))
        .on("error", fail)
        .write(text);
    });

  test("is answered in the form of every error", async () => {
    const { service } = await start();
    const answer = await raw(service.url, "HELLO\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("Date: ");
    expect(answer).toContain(
      '{"code":400008,"message":"the request is not HTTP as it should be: Invalid method encountered"}',
    );
  });

  test("a CONNECT that is reset, or never ended, does not keep the service from going on and stopping", async () => {
    const { service, get } = await start();
    const port = Number(new URL(service.url).port);
    const sent = (options: { readonly allowHalfOpen?: boolean }) =>
      new Promise<Socket>((done) => {
        const socket = connect({ port, host: "127.0.0.1", ...options }, () => {
          socket.write("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", () => done(socket));
        });
      });
    for (let i = 0; i < 5; i++) (await sent({})).resetAndDestroy();
    expect((await get("/monitors")).status).toBe(200);
    const halfOpen = await sent({ allowHalfOpen: true });
    onTestFinished(() => void halfOpen.destroy());
    await once(halfOpen.resume(), "end");
    await service.close();
  });

  test.each([
    ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "Missing host header"],
    ["a Host that is none", "GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400, "not HTTP"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "CONNECT is not served"],
    [
      "an expectation that nobody knows",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n",
      417,
      "Expect: a miracle",
    ],
  ])("with %s is answered in JSON", async (_, text, status, words) => {
    const { service } = await start();
    const [head = "", body = ""] = (await raw(service.url, text)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^content-type: application\/json/im);
    expect(JSON.parse(body).message).toContain(words);
  });

  test("is told that it did not arrive in time", async () => {
    const server = httpServer({ headersTimeout: 1, connectionsCheckingInterval: 10 });
    const port = await listen(server, "127.0.0.1", 0);
    onTestFinished(() => void server.close());
    const answer = await raw(`http://127.0.0.1:${port}`, "GET /healthz HTTP/1.1\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"code":40801,"message":"the request did not arrive in time"}');
  });

  test("is told when its headers are too large", async () => {
    const { service } = await start();
    const answer = await raw(service.url, `GET /?${"x".repeat(140_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":43101');
  });
});

test("HEAD answers as GET does, without a body", async () => {
  const client = await start();
  await create(client, monitor, "m");
  const headers = { "API-Token": client.service.token };
  const answer = await client.send("/monitors/m", { method: "HEAD", headers });
  expect([answer.status, answer.body]).toEqual([200, undefined]);
  expect((await client.send("/monitors/none", { method: "HEAD", headers })).status).toBe(404);
});
