import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../tools/project.mjs";
import { median, ratio } from "./figures.mjs";
import { atMost } from "./result.mjs";
import { interleave } from "./rounds.mjs";
import { startService } from "./service.mjs";

/**
 * Measures the command `import` against a process that only reads the same objects through the client.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function importAll(context) {
  const { resources, latency, rounds } = context.options;
  const kind = context.kindOr("Monitor");
  const service = await startService();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-observability-bench-"));
  const env = { ...process.env, OBSERVABILITY_BASE_URL: service.url, OBSERVABILITY_API_TOKEN: service.token };
  let runs = 0;
  const sides = {
    ours: () => [join(root, "dist/cli/main.js"), "import", "--json", "--out", join(folder, String((runs += 1)))],
    floor: () => [join(root, "bench/readAll.mjs")],
  };
  try {
    for (let i = 0; i < resources; i++) {
      const slug = `object-${i}`;
      const path = kind.operations.update.path.replace("{slug}", slug);
      await service.ask("PUT", path, { create_if_missing: true, [kind.wire.one]: { ...kind.example.wire, slug } });
    }
    await service.setLatency(latency);
    const { ours, floor } = await interleave(sides, rounds, async (args) => {
      const started = performance.now();
      await promisify(execFile)(process.execPath, args(), { env, maxBuffer: Infinity });
      return (performance.now() - started) / 1000;
    });
    const title = `import of ${resources} ${kind.name}s`;
    return {
      rows: [atMost(`${title}: wall, command / client`, ratio(ours, floor), 2)],
      tables: [`${title}\ncommand ${median(ours).toFixed(2)} s, client alone ${median(floor).toFixed(2)} s`],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  }
}
