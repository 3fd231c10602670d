import type { Service } from "@pulumi-observability/service";
import { expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { size } from "../support/figures.js";
import { killEngine, newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

// A first load that records its state once, at the end: faster, and a crash forgets everything that it has created.
const resources = size(40);
const kinds = [caseOf("Notifier"), caseOf("Monitor")];
const program = `
  const obs = require("pulumi-observability");
  const kinds = ${JSON.stringify(kinds.map(({ kind, args }) => ({ name: kind.name, args: { ...args, slug: undefined } })))};
  for (let i = 0; i < ${resources}; i++) {
    const { name, args } = kinds[i % kinds.length];
    new obs[name](\`load-\${i}\`, { ...args, name: \`Load \${i}\` });
  }`;
const load = ["up", "--yes", "--skip-preview"];

test(
  'a first load without checkpoints that is killed converges with adopt: "identical"',
  { timeout: 600_000 },
  async () => {
    const service = await ownService();
    const proxy = await faults.ownProxy(service.url);
    const project = newProject(proxy.url, program, { PULUMI_SKIP_CHECKPOINTS: "true" });
    expect((await project.init()).code).toBe(0);
    // At any moment of the load, early and late.
    const after = Math.ceil(Math.random() * resources);
    const writes = () => proxy.arrivals().filter(({ method, dryRun }) => method !== "GET" && !dryRun).length;
    const up = project.start(load);
    await faults.until(() => writes() >= after || up.child.exitCode !== null, `write ${after}`, 300_000);
    await killEngine(up.child);

    const cancelled = await project.run(["cancel", "--yes"]);
    expect(cancelled.code, cancelled.text).toBe(0);
    const again = await project.run(load, { env: { OBSERVABILITY_ADOPT: "identical" } });
    expect(again.code, `killed after ${after} writes: ${again.text}`).toBe(0);
    const there = await slugs(service);
    const recorded = project.state().resources.flatMap(({ id, type }) => (type.includes("observability:") ? [id] : []));
    const wanted = Array.from({ length: resources }, (_, n) => `load-${n}`).sort();
    expect(there).toEqual(wanted);
    expect(recorded.sort()).toEqual(wanted);
  },
);

/** What stands at the service, of both kinds. */
async function slugs(service: Service): Promise<string[]> {
  const pages = await Promise.all(
    kinds.map(async ({ kind }) => {
      const { body } = await ask(service, "GET", `${kind.family.list?.path}?page.max_size=1000`);
      return (body[String(kind.wire.many)] as { slug: string }[]).map(({ slug }) => slug);
    }),
  );
  return pages.flat().sort();
}
