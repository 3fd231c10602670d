import { describe, expect, test } from "vitest";
import { type Document, loadDocument } from "../../service/dist/document.js";
import { interfaceOperations } from "../witness/witnesses.js";
import { start } from "./service.js";

const described = Object.keys(interfaceOperations);

function operationsIn(document: Document): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

const documentOf = async (url: string): Promise<Document> =>
  (await (await fetch(`${url}/openapi.json`)).json()) as Document;

describe("a service of the described operations", () => {
  test("serves the eleven, and lists them", async () => {
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
});

test("a service of all operations serves the whole document", async () => {
  const { service } = await start();
  expect(operationsIn(await documentOf(service.url))).toEqual(operationsIn(loadDocument()));
});
