import { connect } from "node:net";
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

test("every answer carries Date, a request id and JSON, errors too", async () => {
  const { get, send } = await start();
  const paths = ["/notifiers", "/none", "/notifiers/none"];
  for (const { headers } of await Promise.all([...paths.map((path) => get(path)), send("/monitors")])) {
    expect(Date.parse(headers.get("date") ?? "")).toBeGreaterThan(0);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
  }
  const own = async (id: string) => (await send("/none", { headers: { "X-Request-Id": id } })).headers;
  expect((await own("mine-1")).get("x-request-id")).toBe("mine-1");
  // Unfit for a log.
  expect((await own("x".repeat(500))).get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

test.each<[request: string, status: number, body: object]>([
  ["GET /no-such-kind", 404, { code: 40402, message: "GET /api/v1/config/no-such-kind is not served here" }],
  ["GET /notifiers/none", 404, { code: 40401, message: 'there is no notifier "none"' }],
  ["GET /notifiers/none/more", 404, { code: 40402 }],
  ["GET /api/v2/config/notifiers", 404, { code: 40402 }],
  ["PATCH /monitors/m", 405, { code: 40501 }],
  ["GET /notifiers/%61_B-1", 200, { notifier: { slug: "a_B-1" } }],
  ["GET /notifiers/%zz", 404, {}],
  ["GET /notifiers/a%2FB", 404, {}],
])("%s is answered %i %j", async (request, status, body) => {
  const client = await start();
  await create(client, notifier, "a_B-1");
  const [method = "", path = ""] = request.split(" ");
  const answer = await client.send(path, { method, headers: { "API-Token": client.service.token } });
  expect(answer).toMatchObject({ status, body });
  expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, HEAD, PUT, DELETE" : null);
});

test.each([
  ["/", { code: 40402, message: "GET / is not served here" }],
  ["/healthz", { status: "ok" }],
  ["/openapi.json", { openapi: "3.1.0" }],
])("%s outside of the interface needs no token and answers JSON", async (path, body) => {
  const { service } = await start();
  expect(await (await fetch(service.url + path)).json()).toMatchObject(body);
});

describe("a body", () => {
  test.each<[type: string | undefined, encoding: string | undefined, status: number, body: object]>([
    [
      "text/plain",
      undefined,
      415,
      { code: 41501, message: 'expected Content-Type application/json, got "text/plain"' },
    ],
    [undefined, undefined, 415, { code: 41501 }],
    ["application/json", "gzip", 415, { code: 41501 }],
    ["application/json; charset=utf-8", undefined, 200, {}],
  ])("of type %s and encoding %s is answered %i", async (type, encoding, status, body) => {
    const { service, send } = await start();
    const answer = await send("/notifiers", {
      method: "POST",
      headers: {
        "API-Token": service.token,
        ...(type && { "Content-Type": type }),
        ...(encoding && { "Content-Encoding": encoding }),
      },
      body: Buffer.from(JSON.stringify({ notifier: notifier.valid })),
    });
    expect(answer).toMatchObject({ status, body });
  });

  test.each<[body: unknown, answer: object]>([
    ["", { message: "the body is empty, expected JSON" }],
    ['{"notifier": s3cret}', { message: "the body is not JSON" }],
    [[], { errors: [{ path: "", message: "expected an object, got an array" }] }],
    [{}, { errors: [{ path: "notifier", message: "is required" }] }],
    [{ notifier: null }, { errors: [{ path: "notifier", message: "is required" }] }],
    [
      { notifier: "x", dry_run: 1 },
      {
        errors: expect.arrayContaining([
          { path: "", message: "expected an object, got a string" },
          { path: "dry_run", message: "expected a boolean, got a number" },
        ]),
      },
    ],
  ])("%j is no JSON object with the resource", async (body, answer) => {
    expect((await (await start()).post("/notifiers", body)).body).toMatchObject({ code: 400008, ...answer });
  });

  test.each([1, 3])("in %i chunks is taken up to the limit of the service", async (parts) => {
    const { service, get } = await start();
    const post = async (text: string) => {
      const body = JSON.stringify({ notifier: { ...notifier.valid, slug: "n", email: { to: "a@b", text } } });
      const chunks = Array.from({ length: parts }, (_, i) =>
        Buffer.from(body.slice((i * body.length) / parts, ((i + 1) * body.length) / parts)),
      );
      const response = await fetch(`${service.url}/api/v1/config/notifiers`, {
        method: "POST",
        headers: { ...json, "API-Token": service.token },
        body: Readable.toWeb(Readable.from(chunks)) as ReadableStream,
        duplex: "half",
      } as RequestInit); // The types of Node 20 do not know `duplex`.
      return { status: response.status, body: await response.json() };
    };
    const tooLarge = { code: 41301, message: "the body has more than 262144 bytes" };
    expect(await post("x".repeat(300_000))).toEqual({ status: 413, body: tooLarge });
    expect(await post("short")).toMatchObject({ status: 200, body: { notifier: { slug: "n" } } });
    expect((await get("/notifiers/n")).status).toBe(200);
  });

  test("is too large by its length alone, with 256 KiB by default", async () => {
    const { post } = await start();
    expect((await post("/notifiers", `{"x":"${"x".repeat(262_144)}"}`)).status).toBe(413);
  });

  test.each(["Content-Length: 500", "Transfer-Encoding: chunked"])(
    "that ends early changes nothing, and is no error of the service (%s)",
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
      expect((await get("/monitors/m")).status).toBe(404);
    },
  );
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

  const close = "Connection: close\r\n";
  const notHttp = "the request is not valid HTTP: ";
  test.each([
    ["HELLO", "HELLO\r\n\r\n", 400, 400008, `${notHttp}Invalid method encountered`],
    ["no Host", `GET /healthz HTTP/1.1\r\n${close}\r\n`, 400, 400008, "Missing host header"],
    ["a Host that is none", `GET /healthz HTTP/1.1\r\nHost: a b\r\n${close}\r\n`, 400, 400008, "not valid HTTP"],
    ["large headers", `GET /?${"x".repeat(140_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 43101, "URL and headers"],
  ])("%s is answered in JSON", async (_, text, status, code, words) => {
    const { service } = await start();
    const [head = "", body = ""] = (await raw(service.url, text)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^date: /im);
    expect(head).toMatch(/^content-type: application\/json/im);
    expect(JSON.parse(body)).toEqual({ code, message: expect.stringContaining(words) });
  });

  test("a request that does not arrive in time is answered so", async () => {
    const server = httpServer();
    // As Node.js does, which looks for late requests every half a minute.
    const late = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    server.on("connection", (socket) => server.emit("clientError", late, socket));
    const port = await listen(server, "127.0.0.1", 0);
    onTestFinished(() => void server.close());
    const answer = await raw(`http://127.0.0.1:${port}`, "GET /healthz HTTP/1.1\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"code":40801,"message":"the request did not arrive in time"}');
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
