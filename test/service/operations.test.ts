import { describe, expect, test } from "vitest";
import { type Document, loadDocument } from "../../service/dist/document.js";
import { interfaceOperations } from "../witness/witnesses.js";
import { create, logAllocationConfig, monitor, notifier, start } from "./service.js";

const described = Object.keys(interfaceOperations);

function operationsIn(document: Document): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

const documentOf = async (url: string): Promise<Document> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as Document;

describe("a service of the described operations", () => {
  test("serves the eleven, and says so", async () => {
    const { service } = await start({ operations: "described" });
    expect([...operationsIn(await documentOf(service.url))].sort()).toEqual([...described].sort());
  });

  test("answers 404 or 405 to every other one, and counts it by its template", async () => {
    const client = await start({ operations: "described" });
    const others = operationsIn(loadDocument()).filter((operation) => !described.includes(operation));
    expect(others.length).toBeGreaterThan(described.length);
    for (const operation of others) {
      const [method = "", path = ""] = operation.split(" ");
      client.service.resetCounters();
      const { status, body } = await client.send(path.replace("{slug}", "x"), {
        method,
        headers: { "API-Token": client.service.token },
      });
      const servesPath = described.some((each) => each.endsWith(` ${path}`));
      expect([status, body.code]).toEqual(servesPath ? [405, 40501] : [404, 40402]);
      expect(client.service.counters().requests).toEqual([
        { operation: null, method, path, dryRun: false, createIfMissing: false, status, count: 1 },
      ]);
    }
  });

  test("does its work", async () => {
    const client = await start({ operations: "described" });
    expect((await create(client, notifier, "n")).status).toBe(200);
    expect((await client.get("/notifiers?slugs=n")).body.notifiers).toHaveLength(1);
    expect((await create(client, monitor, "m")).status).toBe(200);
    expect((await client.post(logAllocationConfig.path, { log_allocation_config: {} })).status).toBe(200);
    expect((await client.get("/datasets/none")).body.code).toBe(40401);
  });
});

test("a service of all operations serves the whole document", async () => {
  const { service } = await start();
  expect(operationsIn(await documentOf(service.url))).toEqual(operationsIn(loadDocument()));
});

test("a kind that only the document knows is served like any other", async () => {
  const reference = { $ref: "#/components/schemas/Silence" };
  const content = (properties: object) => ({
    content: { "application/json": { schema: { type: "object", properties } } },
  });
  const answers = { 200: content({ silence: reference }) };
  const operation = (verb: string, more: object) => ({
    operationId: `${verb}Silence`,
    "x-kind": "Silence",
    "x-verb": verb,
    "x-described": false,
    responses: answers,
    ...more,
  });
  const requestBody = content({ silence: reference, dry_run: { type: "boolean" } });
  const document = {
    ...loadDocument(),
    paths: {
      "/api/v1/config/silences": {
        post: operation("create", { requestBody }),
        get: operation("list", { responses: { 200: content({ silences: { type: "array", items: reference } }) } }),
      },
      "/api/v1/config/silences/{slug}": { get: operation("read", {}), delete: operation("delete", {}) },
    },
    components: {
      schemas: {
        Silence: {
          type: "object",
          "x-title": "silent hour",
          required: ["until"],
          properties: {
            name: { type: "string" },
            slug: { type: "string" },
            until: { type: "string", format: "date-time" },
            keys: { type: "array", items: { $ref: "#/components/schemas/Key" } },
            created_at: { type: "string", readOnly: true },
          },
        },
        Key: {
          type: "object",
          properties: {
            text: { type: "string", "x-secret": true },
            more: { $ref: "#/components/schemas/Key" },
            byName: { type: "object", additionalProperties: { type: "string", "x-secret": true } },
          },
        },
      },
    },
  } as unknown as Document; // The loaded one, with another set of paths.

  const client = await start({ document });
  const silence = {
    name: "Night",
    until: "2030-01-01T00:00:00Z",
    keys: [{ text: "a", more: { more: { text: "b", byName: { c: "d" } } } }, {}, { text: "" }],
  };
  expect((await client.post("/silences", { silence: { name: "x", until: "soon" } })).body.errors[0].path).toBe("until");
  expect((await client.post("/silences", { silence: { name: "x" } })).body.errors).toEqual([
    { path: "until", message: "is required" },
  ]);
  expect((await client.post("/silences", { silence })).status).toBe(200);
  expect((await client.get("/silences/night")).body.silence.keys).toEqual([
    { text: "**REDACTED**", more: { more: { text: "**REDACTED**", byName: { c: "**REDACTED**" } } } },
    {},
    { text: "" },
  ]);
  expect((await client.get("/silences")).body.silences).toHaveLength(1);
  expect((await client.delete("/silences/night")).body).toEqual({});
  expect((await client.get("/silences/night")).body.message).toBe('there is no silent hour "night"');
});

test("an interface document that is not there is told", async () => {
  await expect(start({ document: "/no/such.json" })).rejects.toThrow(
    /^unable to read the interface document "\/no\/such.json"/,
  );
});
