import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test } from "vitest";
import { toWire } from "../../dist/provider/wire/codec.js";
import { pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { killProviders, newProject, type Project } from "../support/project.js";
import { ownService } from "../support/service.js";
import { encrypted } from "../support/stacks.js";
import { type Bearer, bearers, mark, secretPlaces, token } from "./canaries.js";
import { Scan } from "./scan.js";

/** One resource of the program. */
interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
  readonly options?: unknown;
  /** Read by `.get` under this id instead. */
  readonly get?: string;
}

// The resources lie in a file beside the project, so that whatever stands in the project comes from the run.
const program = `
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const obs = require("pulumi-observability");
for (const { kind, name, args, options, get } of JSON.parse(readFileSync(join(__dirname, "../declared.json"), "utf8"))) {
  if (get === undefined) new obs[kind](name, args, options);
  else obs[kind].get(name, get);
}
`;

const scan = new Scan();
const [first, rotated] = [bearers(0), bearers(1)];
let service: Service;
let proxy: faults.FaultProxy;
let project: Project;

const declared = (all: readonly Bearer[], options?: Declared["options"]): Declared[] =>
  all.map(({ kind, slug, args }) => ({ kind: kind.name, name: slug, args, options }));
const declare = (resources: readonly Declared[], of = project) =>
  writeFileSync(of.file("declared.json"), JSON.stringify(resources));

/** A stack whose token lies encrypted in its config. */
async function newStack(): Promise<Project> {
  const settings = { OBSERVABILITY_API_TOKEN: "", OBSERVABILITY_RETRY_BUDGET_SECS: "2", PULUMI_DEBUG_COMMANDS: "true" };
  const made = newProject(proxy.url, program, settings);
  await made.init("dev", { "observability:apiToken": encrypted(token) });
  return made;
}

/** An event log without the debug messages of Pulumi's SDK, which hold inputs in plain text: a known limit of the README. */
const eventsIn = (file: string): string =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && JSON.parse(line).diagnosticEvent?.severity !== "debug")
    .join("\n");

/** What is printed with `--logtostderr`, without the same messages. */
const withoutDebug = (text: string): string => text.replace(/^\{"time":.*"msg":"RegisterResource.*$/gm, "");

/** Runs one command and looks through all it said and wrote. */
async function scanned(args: readonly string[], of = project) {
  const events = of.file(`events-${scan.outputs}.json`);
  const isRun = ["preview", "up", "refresh", "destroy"].includes(args[0] ?? "");
  const { code, text } = await of.run([...args, ...(isRun ? ["--event-log", events] : [])]);
  look(args.join(" "), withoutDebug(text), of);
  if (isRun) scan.text(`the events of ${args.join(" ")}`, eventsIn(events));
  scan.expectClean();
  return { code, text };
}

function look(what: string, text: string, of = project): void {
  scan.text(what, text);
  for (const [name, folder] of Object.entries(of.folders)) scan.folder(`${what}: ${name}`, folder);
}

/** Repeats what it was sent, in the message, in the list of problems and in their paths. */
const echoing = ({ body }: faults.Arrival) => {
  const said = `it is wrong: ${JSON.stringify(body)} ${token}`;
  return faults.failing(400, { code: 400008, message: said, errors: [{ path: said, message: said }] });
};

describe("no canary is in any output of a run, nor in any file that it leaves", () => {
  beforeAll(async () => {
    service = await ownService({ token });
    proxy = await faults.ownProxy(service.url);
    project = await newStack();
  });

  test("preview, as JSON and with the engine's own log", async () => {
    declare(declared(first));
    const json = await scanned(["preview", "--json", "--logtostderr", "-v=3"]);
    expect(json.code, json.text).toBe(0);
    expect(json.text).toContain("[secret]");
  });

  test("up, with secrets encrypted in state and history", async () => {
    const { code, text } = await scanned(["up", "--yes", "--skip-preview"]);
    expect(code, text).toBe(0);
    const state = readFileSync(join(project.folders.backend, ".pulumi/stacks/project/dev.json"), "utf8");
    expect(state).toContain('"ciphertext"');
    // They are there, and the service has them: what is not found above is not missing.
    const { text: shown } = await project.run(["stack", "export", "--show-secrets"]);
    expect(shown.split(mark).length).toBeGreaterThan(2 * secretPlaces.length);
  });

  test("a rotation is one update of each, shown as changed, without the old or the new", async () => {
    declare(declared(rotated));
    const [refused] = rotated;
    proxy.use((arrival) =>
      faults.isWrite(arrival) && arrival.path.endsWith(`/${refused?.slug}`) ? echoing(arrival) : undefined,
    );
    const { code, text } = await scanned(["up", "--yes", "--diff", "--continue-on-error"]);
    proxy.reset();
    expect(code).not.toBe(0);
    expect(text).toMatch(/it is wrong: .*\[secret\]/);
    expect(text).toMatch(/~ \w+ *: \{?\s*~? ?.*\[secret\]/);
    expect(text).toMatch(new RegExp(`~ ${rotated.length} to update`));
    expect(text).toMatch(new RegExp(`~ ${rotated.length - 1} updated`));
  });

  test("refresh after edits outside", async () => {
    const edited = bearers(2);
    for (const { kind, slug, args } of edited) {
      await fetch(`${service.url}${pathOf(kind, slug)}`, {
        method: "PUT",
        headers: { "API-Token": token, "Content-Type": "application/json" },
        body: JSON.stringify({ [kind.wire.one]: toWire(kind.root, { ...args, name: "Edited outside" }) }),
      });
    }
    const { code, text } = await scanned(["refresh", "--yes", "--skip-preview", "--diff"]);
    expect(code, text).toBe(0);
    expect(text).toContain("Edited outside");
  });

  test("a secret in the wrong place, or under a wrong key", async () => {
    declare(misplaced());
    const { code, text } = await scanned(["preview", "--diff"]);
    expect(code).not.toBe(0);
    expect(text).toMatch(/expected an? \w+, got an? \w+|unknown field/);
  });

  test("a provider that is killed in the middle of its writes", async () => {
    declare(declared(bearers(3)));
    proxy.use((arrival) => (faults.isWrite(arrival) ? faults.held : undefined));
    const { child, ended } = project.start(["up", "--yes", "--skip-preview"]);
    await faults.until(() => proxy.heldNow() > 0, "a write", 60_000);
    await killProviders(child);
    const { code, text } = await ended;
    proxy.reset();
    proxy.release();
    look("a killed provider", text);
    scan.expectClean();
    expect(code).not.toBe(0);
  });

  test("destroy", async () => {
    const { code, text } = await scanned(["destroy", "--yes", "--skip-preview"]);
    expect(code, text).toBe(0);
  });
});

/** A canary under a wrong key, or in a place of another type. */
function misplaced(): Declared[] {
  const secret = `${mark}-misplaced-${mark}`;
  const notifier = (name: string, args: unknown): Declared => ({ kind: "Notifier", name, args });
  return [
    notifier("array", { webhook: { url: [secret] } }),
    notifier("object", { webhook: { url: { at: secret } } }),
    notifier("text-for-object", { webhook: secret }),
    notifier("array-for-object", { oncallA: [{ apiKey: secret }] }),
    notifier("text-for-boolean", { discard: secret }),
    notifier("wrong-key", { oncallB: { routingKeys: secret } }),
    notifier("wire-key", { oncallB: { routing_key: secret } }),
    notifier("text-in-depth", { oncallB: { httpConfig: { basicAuth: secret } } }),
  ];
}
