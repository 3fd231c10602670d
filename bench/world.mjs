import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProject, shareStack, up } from "./project.mjs";
import { slugOf } from "./program.mjs";
import { startService } from "./service.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./program.mjs").Kind} Kind
 * @typedef {Awaited<ReturnType<typeof createWorld>>} World
 */

/**
 * Does work in a new world, and removes the world afterwards.
 * @template Outcome
 * @param {Context} context
 * @param {Kind} kind
 * @param {number} resources
 * @param {(world: World) => Promise<Outcome>} work
 * @param {import("./program.mjs").Language} [language]
 */
export async function inWorld(context, kind, resources, work, language) {
  const world = await createWorld(context, kind, resources, language);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

/**
 * The same with a world per size.
 * @template Outcome
 * @param {Context} context
 * @param {Kind} kind
 * @param {readonly number[]} sizes
 * @param {(worlds: readonly World[]) => Promise<Outcome>} work
 * @returns {Promise<Outcome>}
 */
export async function inWorlds(context, kind, [size, ...sizes], work) {
  if (size === undefined) return work([]);
  return inWorld(context, kind, size, (world) => inWorlds(context, kind, sizes, (worlds) => work([world, ...worlds])));
}

/**
 * A world: its own service, and one project per side that declares so many resources of one kind.
 * @param {Context} context
 * @param {Kind} kind
 * @param {number} resources
 * @param {import("./program.mjs").Language} [language]
 */
async function createWorld({ pulumi, options: { latency }, say }, kind, resources, language = "ts") {
  const folder = mkdtempSync(join(tmpdir(), "observability-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const service = await startService();
  await service.setLatency(latency);
  /** @param {import("./project.mjs").Side} side */
  const project = (side) => {
    mkdirSync(join(folder, side));
    return createProject({ side, kind, language, folder: join(folder, side), pulumi, service });
  };
  const [ours, floor] = [await project("ours"), await project("floor")];

  /**
   * Sends the request for all slugs to the service at once.
   * @param {"create" | "delete"} verb
   * @param {readonly string[]} slugs
   * @param {{ dryRun?: boolean }} [how]
   */
  const each = async (verb, slugs, { dryRun = false } = {}) => {
    await service.setLatency(0);
    const { method, path } = kind.operations[verb];
    const rest = [...slugs];
    const askNext = async () => {
      for (let slug = rest.pop(); slug !== undefined; slug = rest.pop()) {
        const body = { [kind.wire.one]: { ...kind.example.wire, slug }, create_if_missing: true, dry_run: dryRun };
        await service.ask(method, path.replace("{slug}", slug), verb === "create" ? body : undefined);
      }
    };
    await Promise.all(Array.from({ length: 8 }, askNext));
    await service.setLatency(latency);
  };
  const numbers = Array.from({ length: resources }, (_, i) => i);
  // The service is not measured, so it is warmed up, as a service in use would be.
  await each(
    "create",
    Array.from({ length: 2_000 }, (_, i) => `warming-up-${i}`),
    { dryRun: true },
  );

  return {
    kind,
    resources,
    ours,
    floor,
    /** The same resources as plain dynamic ones. */
    plain: () => project("plain"),
    /** Creates all resources, and gives the very same state to the floor. */
    async create() {
      say(`creating ${resources} ${kind.name}s`);
      await service.setLatency(0);
      await up(ours, resources);
      shareStack(ours, floor);
      await service.setLatency(latency);
    },
    /** Restores the state before anything was created. */
    async uncreate() {
      await each(
        "delete",
        numbers.map((i) => slugOf(kind, i)),
      );
      ours.empty();
      floor.empty();
    },
    /** Creates as many further objects of the kind at the service, which no project manages. */
    async createOthers() {
      say(`adding ${resources} ${kind.name}s that are not managed`);
      await each(
        "create",
        numbers.map((i) => `other-${i}`),
      );
    },
    async close() {
      await service.stop();
      process.off("exit", remove);
      remove();
    },
  };
}
