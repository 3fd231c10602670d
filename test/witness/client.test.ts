import type { IncomingMessage } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { Client } from "../../dist/provider/client/client.js";
import { readSettings } from "../../dist/provider/client/settings.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { objectToWire } from "../../dist/provider/wire/codec.js";
import { caseOf } from "../support/cases.js";
import { listen } from "../support/http.js";
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

// Answers each operation with the envelope that the API spec gives it; the first page of a list has another.
const url = await listen(async (incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url ?? "", "http://localhost");
  let text = "";
  for await (const chunk of incoming) text += chunk;
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : `${pathname} outside the base URL`;
  const request = `${incoming.method} ${path.replace(slug, "{slug}")}`;
  recorded.push({
    request,
    query: searchParams,
    headers: incoming.headers,
    body: text === "" ? undefined : JSON.parse(text),
  });
  const isFirstPage = !searchParams.has("page.token");
  const { response = {} } = interfaceOperations[request] ?? {};
  const answer = Object.entries(response).map(([key, type]) => {
    if (key === "page.next_token") return ["page", { next_token: isFirstPage ? "a token" : "" }];
    return type.endsWith("[]") ? [key, isFirstPage ? [] : [answered]] : [key, answered];
  });
  outgoing.setHeader("Content-Type", "application/json");
  outgoing.end(JSON.stringify(Object.fromEntries(answer)));
});

const configured: Readonly<Record<string, string>> = { baseUrl: `${url}${base}`, apiToken: "a-token" };
const client = new Client(readSettings((name) => configured[name]));

beforeEach(() => {
  recorded = [];
});

/** A complete object of a kind. */
const onWire = ({ root, example }: Kind) => objectToWire(root, example);

/** The one kind that an operation's answer holds. */
function kindOf({ response }: InterfaceOperation) {
  const found = kinds.find(({ name }) => [name, `${name}[]`].some((type) => Object.values(response).includes(type)));
  if (found === undefined) throw new Error("no kind has this operation");
  return found;
}

/** Calls the method of the client that is for the operation; answers with the object that the client understood. */
async function call(request: string, operation: InterfaceOperation, flag = false) {
  const kind = kindOf(operation);
  const object = onWire(kind);
  const options = { dryRun: flag, createIfMissing: !flag };
  if (request.startsWith("POST")) return (await client.post(kind, object, options)).object;
  if (request.startsWith("PUT")) return (await client.put(kind, slug, object, options)).object;
  if (request.endsWith("{slug}")) return (await client.get(kind, slug))?.object;
  return (await client.reader.getFromList(kind, slug))?.object;
}

const operations = Object.entries(interfaceOperations);
const writes = operations.filter(([, { request }]) => Object.keys(request).length > 0);
const ofHttp = ["host", "connection", "content-length"];

describe.each(operations)("%s, as the client sends it,", (request, operation) => {
  const isList = Object.keys(operation.query).length > 0;
  const hasBody = Object.keys(operation.request).length > 0;

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

  test("has the token and the usual headers, and a body only where the API spec has one", async () => {
    await call(request, operation);
    for (const { headers, body } of recorded) {
      expect(Object.fromEntries(Object.entries(headers).filter(([name]) => !ofHttp.includes(name)))).toEqual({
        "api-token": "a-token",
        accept: "application/json",
        "accept-encoding": "identity",
        "cache-control": "no-cache",
        "user-agent": expect.stringMatching(/^pulumi-observability\//),
        "x-request-id": expect.any(String),
        ...(hasBody && { "content-type": "application/json" }),
      });
      expect(body === undefined).toBe(!hasBody);
    }
  });
});

describe.each(writes)("%s, as the client sends it,", (request, operation) => {
  test.each([true, false])("has its envelope, dry_run %j and create_if_missing the opposite", async (flag) => {
    await call(request, operation, flag);
    const flags: Readonly<Record<string, unknown>> = { dry_run: flag, create_if_missing: !flag };
    const object = onWire(kindOf(operation));
    const envelope = Object.entries(operation.request).map(([key, type]) => [
      key,
      type === "boolean" ? flags[key] : object,
    ]);
    expect(recorded.map(({ body }) => body)).toEqual([Object.fromEntries(envelope)]);
  });
});

test("the slugs of a list are sent as one parameter each", async () => {
  await client.reader.list(caseOf("Notifier").kind, { slugs: ["a", "b,c"] });
  expect(recorded[0]?.query.getAll("slugs")).toEqual(["a", "b,c"]);
});
