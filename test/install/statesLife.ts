import type { Service } from "@pulumi-observability/service";
import { expect } from "vitest";
import { live as standing, takeVerbs } from "../support/service.js";
import { changedOnce, type Declarations, type Program } from "./declarations.js";
import { type Kept, make, objectOf } from "./kept.js";
import { type Export, type Outcome, oursIn, type Project } from "./statesProject.js";

/** A new stack: previewed and created, at a service where the objects of others stand. */
export async function begin(project: Project, service: Service, { declarations, standing = [] }: Program) {
  for (const object of standing) await make(service, object);
  await project.start(service.url);
  project.declare(declarations);
  const { managed, ifRead } = partsOf(declarations);
  const isNew = { create: managed, ...ifRead("read") };
  await expectSteps(project.run("preview"), isNew);
  await expectSteps(project.run("up"), isNew);
}

/** Imports a kept state into a project whose service has the same objects. Returns the state with secrets in plain text. */
async function resume(project: Project, service: Service, kept: Kept): Promise<Export> {
  const renewed = [[kept.written.baseUrl, service.url]];
  for (const standing of kept.objects) {
    const made = await make(service, standing);
    for (const time of ["created_at", "updated_at"]) renewed.push([standing.object[time], made[time]].map(String));
  }
  await project.start(service.url);
  // First as it was encrypted. Then, because the service's address stands in encrypted parts too, what was opened,
  // with the address and the times of this service.
  await project.import(kept.state);
  const opened = JSON.stringify(await project.export({ showSecrets: true }));
  const text = renewed.reduce((all, [then = "", now = ""]) => all.replaceAll(then, now), opened);
  const state = JSON.parse(text) as Export;
  await project.import(state);
  project.declare(kept.declarations);
  return state;
}

/**
 * Preview and refresh find that nobody changed anything, ask only for what is read, and record nothing else. The preview
 * also proves address and token.
 */
async function stay(project: Project, service: Service, declarations: Declarations, before: Export): Promise<void> {
  const { managed, read, ifRead } = partsOf(declarations);
  service.resetCounters();
  await expectSteps(project.run("preview"), { same: managed, ...ifRead("read") });
  expect(takeVerbs(service), "preview").toEqual({ GET: read + 1 });
  await expectSteps(project.run("refresh"), { same: managed + read });
  expect(takeVerbs(service), "refresh").toEqual({ GET: managed + read });
  // A secret inside of a secret is the same secret.
  expect(inClear(recorded(await project.export({ showSecrets: true })))).toEqual(inClear(recorded(before)));
}

/** Each resource takes one change, with one request; then all are deleted, and nothing of others'. */
async function end(project: Project, service: Service, declarations: Declarations): Promise<void> {
  const { managed, read, ifRead } = partsOf(declarations);
  const objects = project.resources().map(objectOf);
  project.declare(changedOnce(declarations));
  service.resetCounters();
  await expectSteps(project.run("up"), { update: managed, ...ifRead("read") });
  // Each is looked at for what a newer service has, and written.
  expect(takeVerbs(service)).toEqual({ PUT: managed, GET: managed + (ifRead("GET").GET ?? 0) });

  expect((await project.run("destroy")).steps).toMatchObject({ delete: managed });
  // Each is looked at before: it must be the recorded object.
  expect(takeVerbs(service)).toEqual({ DELETE: managed, GET: managed });
  const left = await Promise.all(objects.map(({ kind, slug }) => standing(service, kind, slug)));
  expect(left.filter((object) => object !== undefined)).toHaveLength(read);
  expect(project.resources()).toEqual([]);
}

/** The whole life of a new stack. */
export async function live(project: Project, service: Service, program: Program): Promise<void> {
  await begin(project, service, program);
  await stay(project, service, program.declarations, await project.export({ showSecrets: true }));
  await end(project, service, program.declarations);
}

/** The rest of the life of a stack whose state is kept. */
export async function liveOn(project: Project, service: Service, kept: Kept): Promise<void> {
  const before = await resume(project, service, kept);
  await stay(project, service, kept.declarations, before);
  await end(project, service, kept.declarations);
}

/** How many resources are managed, and how many only read; `ifRead` names the latter where there are any. */
function partsOf({ resources }: Declarations) {
  const read = resources.filter((resource) => resource.read !== undefined).length;
  return {
    managed: resources.length - read,
    read,
    ifRead: (name: string): Readonly<Record<string, number>> => (read > 0 ? { [name]: read } : {}),
  };
}

async function expectSteps(running: Promise<Outcome>, expected: Outcome["steps"]): Promise<void> {
  const { steps, text } = await running;
  expect(steps, text).toEqual(expected);
}

/** What a state records of our resources. */
const recorded = (state: Export) => oursIn(state).map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));

/** The value with every secret in plain text, also one inside of another. */
function inClear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inClear);
  if (typeof value !== "object" || value === null) return value;
  if ("plaintext" in value) return inClear(JSON.parse(String(value.plaintext)));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inClear(each)]));
}
