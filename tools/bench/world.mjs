import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpoints, createProject, shareStack, up } from "./project.mjs";
import { slugOf } from "./program.mjs";
import { startSlowService } from "./service.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./program.mjs").Kind} Kind
 * @typedef {Awaited<ReturnType<typeof createWorld>>} World
 */

/**
 * Does work in a new world, and removes the world afterward.
 * @template Outcome
 * @param {Context} context
 * @param {Kind} kind
 * @param {number} resources
 * @param {(world: World) => Promise<Outcome>} work
 */
export async function inWorld(context, kind, resources, work) {
  const world = await createWorld(context, kind, resources);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/** The sides where the hosts are compared. @satisfies {Readonly<Record<string, import("./project.mjs").Side>>} */
const hosts = /** @type {const} */ ({ ours: "plugin", floor: "ours" });

/**
 * A world: its own service, and one project per side that declares so many resources of one kind.
 * @param {Context} context
 * @param {Kind} kind
 * @param {number} resources
 */
async function createWorld({ pulumi, options: { latency, plugin }, say }, kind, resources) {
  const folder = mkdtempSync(join(tmpdir(), "observability-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const service = await startSlowService();
  service.setLatency(latency);
  /** @param {keyof typeof hosts} side */
  const project = (side) => {
    mkdirSync(join(folder, side));
    return createProject({ side: plugin ? hosts[side] : side, kind, folder: join(folder, side), pulumi, service });
  };
  const [ours, floor] = [await project("ours"), await project("floor")];

  /** @param {Verb} verb @param {(i: number) => string} slugAt @param {How} [how] */
  const each = async (verb, slugAt, how = {}) => {
    service.setLatency(0);
    await sendEach(service, kind, { verb, slugAt, count: resources, ...how });
    service.setLatency(latency);
  };
  // The service is not measured, so it is warmed up, as a service in use would be.
  await each("create", (i) => `warming-up-${i}`, { count: 2_000, dryRun: true });

  return {
    kind,
    resources,
    ours,
    floor,
    /** Creates all resources, and gives the very same state to the floor. */
    async create() {
      say(`creating ${resources} ${kind.name}s`);
      service.setLatency(0);
      await up(ours, resources, checkpoints["no checkpoints"]);
      shareStack(ours, floor);
      service.setLatency(latency);
    },
    /** Restores the state before anything was created. */
    async uncreate() {
      await each("delete", (i) => slugOf(kind, i));
      ours.empty();
      floor.empty();
    },
    /** Creates as many further objects of the kind in the service, which no project manages. */
    async createOthers() {
      say(`adding ${resources} ${kind.name}s that are not managed`);
      await each("create", (i) => `other-${i}`);
    },
    async close() {
      await service.stop();
      process.off("exit", remove);
      remove();
    },
  };
}

/**
 * @typedef {"create" | "delete"} Verb
 * @typedef {{ count?: number, dryRun?: boolean }} How
 */

/**
 * Sends a request for each slug to the service, a few at a time.
 * @param {import("./service.mjs").Service} service
 * @param {Kind} kind
 * @param {{ verb: Verb, slugAt: (i: number) => string } & How & { count: number }} requests
 */
async function sendEach(service, kind, { verb, slugAt, count, dryRun = false }) {
  const { objectToWire } = await import("../../dist/provider/wire/codec.js"); // Compiled only now.
  const { method, path } = kind.operations[verb];
  let next = 0;
  const sendAll = async () => {
    while (next < count) {
      const slug = slugAt(next++);
      const body = {
        [kind.wire.one]: objectToWire(kind.root, { ...kind.example, slug }),
        create_if_missing: true,
        dry_run: dryRun,
      };
      await service.ask(method, path.replace("{slug}", slug), verb === "create" ? body : undefined);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendAll));
}
