import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Client } from "../../dist/provider/client/client.js";
import { readSettings } from "../../dist/provider/client/settings.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { caseOf } from "../support/cases.js";
import type { InterfaceOperation } from "./witness.js";
import { interfaceOperations } from "./witnesses.js";

interface Recorded {
  readonly request: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown> | undefined;
}

const slug = "a-slug";
/** The base URL has a path of its own: the interface's paths are relative to it. */
const base = "/base";
/** The object of every answer. */
const answered = { slug, name: "As answered" };
let recorded: Recorded[] = [];

// Answers each operation with the envelope that the interface document gives it; the first page of a list has another.
const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? "", "http://localhost");
  let text = "";
  for await (const chunk of incoming) text += chunk;
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : `${url.pathname} outside the base URL`;
  const request = `${incoming.method} ${path.replace(slug, "{slug}")}`;
  recorded.push({
    request,
    query: url.searchParams,
    headers: incoming.headers,
    body: text === "" ? undefined : JSON.parse(text),
  });
  const isFirstPage = !url.searchParams.has("page.token");
  const { response = {} } = interfaceOperations[request] ?? {};
  const answer = Object.entries(response).map(([key, type]) => {
    if (key === "page.next_token") return ["page", { next_token: isFirstPage ? "a token" : "" }];
    return type.endsWith("[]") ? [key, isFirstPage ? [] : [answered]] : [key, answered];
  });
  outgoing.setHeader("Content-Type", "application/json");
  outgoing.end(JSON.stringify(Object.fromEntries(answer)));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const configured: Readonly<Record<string, string>> = {
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, // a TCP server has such an address
  apiToken: "a-token",
};
const client = new Client(readSettings((name) => configured[name]));

beforeEach(() => {
  recorded = [];
});

/** The one kind that an operation's answer holds. */
function kindOf({ response }: InterfaceOperation) {
  const found = kinds.find(({ name }) => [name, `${name}[]`].some((type) => Object.values(response).includes(type)));
  if (found === undefined) throw new Error("no kind has this operation");
  return found;
}

/** Calls the method of the client that is for the operation; answers with the object that the client understood. */
async function call(request: string, operation: InterfaceOperation, flag = false) {
  const kind = kindOf(operation);
  const object = kind.example.wire;
  const options = { dryRun: flag, createIfMissing: !flag };
  if (request.startsWith("POST")) return (await client.post(kind, object, options)).object;
  if (request.startsWith("PUT")) return (await client.put(kind, slug, object, options)).object;
  if (request.endsWith("{slug}")) return (await client.get(kind, slug)).object;
  return (await client.listed(kind, slug))?.object;
}

const operations = Object.entries(interfaceOperations);
const writes = operations.filter(([, { request }]) => Object.keys(request).length > 0);
const reads = operations.filter((each) => !writes.includes(each));

describe.each(operations)("%s, as the client sends it,", (request, operation) => {
  const isList = Object.keys(operation.query).length > 0;

  test("has its method and path, and its answer is understood", async () => {
    expect(await call(request, operation)).toEqual(answered);
    expect(recorded.map((each) => each.request)).toEqual(isList ? [request, request] : [request]);
  });

  test("has no query parameter but its own", async () => {
    await call(request, operation);
    const sent = new Set(recorded.flatMap(({ query }) => [...query.keys()]));
    // The client finds objects by slug, never by name.
    const expected = Object.keys(operation.query).filter((name) => name !== "names");
    expect([...sent].sort()).toEqual(expected.sort());
  });
});

const ofHttp = ["host", "connection", "content-length"];
const headersSent = () =>
  recorded.map(({ headers }) => Object.fromEntries(Object.entries(headers).filter(([name]) => !ofHttp.includes(name))));
const always = {
  "api-token": "a-token",
  accept: "application/json",
  "user-agent": expect.stringMatching(/^pulumi-observability\//),
  "x-request-id": expect.any(String),
};

describe.each(writes)("%s, as the client sends it,", (request, operation) => {
  test("has the token, says that its body is JSON, and has no other header that is not usual", async () => {
    await call(request, operation);
    expect(headersSent()).toEqual([{ ...always, "content-type": "application/json" }]);
  });

  test.each([true, false])("has its envelope, dry_run %j and create_if_missing the opposite", async (flag) => {
    await call(request, operation, flag);
    const flags: Readonly<Record<string, unknown>> = { dry_run: flag, create_if_missing: !flag };
    const object = kindOf(operation).example.wire;
    const envelope = Object.entries(operation.request).map(([key, type]) => [
      key,
      type === "boolean" ? flags[key] : object,
    ]);
    expect(recorded.map(({ body }) => body)).toEqual([Object.fromEntries(envelope)]);
  });
});

describe.each(reads)("%s, as the client sends it,", (request, operation) => {
  test("has the token, and neither a body nor a header that says so", async () => {
    await call(request, operation);
    expect(headersSent()).toEqual(recorded.map(() => always));
    expect(recorded.map(({ body }) => body)).toEqual(recorded.map(() => undefined));
  });
});

test("the slugs of a list are sent as one parameter each", async () => {
  await client.list(caseOf("Notifier").kind, { slugs: ["a", "b,c"] });
  expect(recorded[0]?.query.getAll("slugs")).toEqual(["a", "b,c"]);
});
