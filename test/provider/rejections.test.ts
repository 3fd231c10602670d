import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { type Json, offWire, onWire, placeText } from "../property/equivalence.js";
import { pathIn } from "../property/rules.js";
import { document, linesIn, readLine } from "../service/rejected.js";
import { caseOf } from "../support/cases.js";
import { localHost } from "../support/host.js";
import { ask, ownService, put, token } from "../support/service.js";

/** The place that begins a problem in either spelling, in the arguments'; empty where it is about the whole. */
function placeIn(kind: Kind, problem: string): string {
  const [, place = ""] = /^([a-z_$][\w$]*(?:\.[a-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*): /i.exec(problem) ?? [];
  return placeText(pathIn(kind.root, place));
}

test("what the service rejects fails in a preview and in an update, at its place in the arguments' spelling", async () => {
  const service = await ownService();
  for (const slug of ["d0", "d1", "d2"]) await put(service, "Dataset", slug);
  const newHost = () => localHost({ baseUrl: service.url, apiToken: token });
  const shared = newHost();
  let count = 0;
  for (const { line, sort } of linesIn(document)) {
    // In no program are numbers beyond JavaScript's and nulls, and the provider makes name and slug of the resource's.
    if (sort !== "case" || /e400|null|"slug":""| {2}name: ""/.test(line)) continue;
    const { kind: name, json } = readLine(line);
    const { kind } = caseOf(name);
    const object = JSON.parse(json) as Json;
    const args = offWire(kind.root, object) as Json;
    // Nor has one what the schema does not know.
    if (!isDeepStrictEqual(onWire(kind.root, args), object)) continue;
    const { method, path } = kind.operations.create;
    const body = { [kind.wire.one]: object, dry_run: true, ...(kind.createsByPut && { create_if_missing: true }) };
    const { status, body: answer } = await ask(service, method, path.replace("{slug}", String(object.slug)), body);
    if (status === 200) continue;
    const [problem] = answer.errors as [{ path: string; message: string }];
    const place = placeIn(kind, `${problem.path}: ${problem.message}`);
    const own = `line-${(count += 1)}`;
    // What follows the singleton's case would replace it.
    const host = kind.isSingleton ? newHost() : shared;
    const declared = kind.isSingleton || place === "slug" ? args : { ...args, slug: own };
    const check = (dryRun: boolean) =>
      host.check(name, {}, { ...declared, __ctx: { dryRun, name: own, instance: own } });
    const { failures } = await check(true);
    expect(failures[0]?.startsWith(place === "" ? "" : `${place}: `), `${line}\n${failures.join("\n")}`).toBe(true);
    const update = await check(false);
    const [told = ""] =
      update.failures.length > 0 ? update.failures : [await failureOf(host.create(name, update.inputs))];
    expect(placeIn(kind, told.replace(/^unable to create .*? answered 400: .*? is invalid: /s, "")), told).toBe(place);
  }
  expect(count).toBeGreaterThan(200);
});

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => "nothing",
    (error: Error) => error.message,
  );
