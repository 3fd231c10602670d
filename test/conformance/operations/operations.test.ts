import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { request } from "../../support/http.js";
import { ask, ownService, token } from "../../support/service.js";
import { codes, type Json, type Kind, kindNamed, type Operation, otherFields, rows } from "./interface.js";
import { asAnswered, everything, objectOf, pathOf, place, placeExampleDataset, remove, standing } from "./requests.js";

const service = await ownService();
beforeAll(() => placeExampleDataset(service));

const slug = "its-object";
const isWrite = ({ verb }: Operation) => verb === "create" || verb === "update";
// A create finds nothing under its slug, every other operation the example.
const prepare = ({ verb, kind }: Operation) =>
  verb === "create" ? remove(service, kindNamed(kind), slug) : place(service, kindNamed(kind), slug);

/** Another object than the example. */
const other = (kind: Kind) => objectOf(kind, slug, otherFields(kind));

/** The object with a value of the wrong type. */
const broken = (object: Json) => ({ ...object, [Object.keys(object)[0] ?? ""]: {} });

describe.each(rows(() => true))("%s (%s)", (_name, _profile, operation) => {
  const kind = kindNamed(operation.kind);
  const path = pathOf(operation, slug);
  const body = isWrite(operation) ? { [kind.one]: other(kind) } : undefined;

  beforeEach(() => prepare(operation));

  test("answers 200 with its envelope", async () => {
    const { status, body: answer } = await ask(service, operation.method, path, body);
    expect([status, Object.keys(answer)]).toEqual([200, operation.answer]);
  });

  test.each<[sentence: string, headers: Record<string, string>]>([
    ["without a token", {}],
    ["with an empty token", { "API-Token": "" }],
    ["with a wrong token", { "API-Token": "not-the-token" }],
    ["with the beginning of the token", { "API-Token": token.slice(0, -1) }],
    ["with the token in another header", { Authorization: `Bearer ${token}` }],
  ])("answers 401 %s, and changes nothing", async (_sentence, headers) => {
    const before = await everything(service, kind);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const withType = { ...headers, "Content-Type": "application/json" };
    const { status, text } = await request(service.url + path, operation.method, withType, sent);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toEqual({ code: codes.unauthenticated, message: expect.any(String) });
    expect(await everything(service, kind)).toEqual(before);
  });
});

describe.each(rows(isWrite))("%s (%s)", (_name, _profile, operation) => {
  const kind = kindNamed(operation.kind);
  const send = (object: Json, flags: Json) =>
    ask(service, operation.method, pathOf(operation, slug), { ...flags, [kind.one]: object });

  beforeEach(() => prepare(operation));

  test("dry_run true answers without the object, and changes nothing", async () => {
    const before = await everything(service, kind);
    expect(await send(other(kind), { dry_run: true })).toEqual({ status: 200, body: {} });
    expect(await everything(service, kind)).toEqual(before);
  });

  test.each<[sentence: string, flags: Json]>([
    ["dry_run false", { dry_run: false }],
    ["no dry_run", {}],
  ])("%s answers with the object as it was sent, and writes it", async (_sentence, flags) => {
    const written = asAnswered(kind, other(kind));
    expect(await send(other(kind), flags)).toEqual({ status: 200, body: { [kind.one]: written } });
    expect(await standing(service, kind, slug)).toEqual(written);
  });

  test("refuses an invalid object alike with dry_run true and false, and changes nothing", async () => {
    const before = await everything(service, kind);
    const dry = await send(broken(other(kind)), { dry_run: true });
    expect(dry).toMatchObject({ status: 400, body: { code: codes.invalid } });
    expect(await send(broken(other(kind)), { dry_run: false })).toEqual(dry);
    expect(await everything(service, kind)).toEqual(before);
  });
});
