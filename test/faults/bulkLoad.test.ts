import type { Service } from "@pulumi-observability/service";
import { afterAll, expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { isDeep, reportFigure } from "../support/figures.js";
import { killEngine, newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

// A first load that records its state once, at the end: faster, and a crash forgets everything that it has created.
const loads = isDeep ? 20 : 1;
const resources = isDeep ? 1_000 : 40;
const kinds = [caseOf("Notifier"), caseOf("Monitor")];
const program = `
  const obs = require("pulumi-observability");
  const kinds = ${JSON.stringify(kinds.map(({ kind, args }) => ({ name: kind.name, args: { ...args, slug: undefined } })))};
  for (let i = 0; i < ${resources}; i++) {
    const { name, args } = kinds[i % kinds.length];
    new obs[name](\`load-\${i}\`, { ...args, name: \`Load \${i}\` });
  }`;
const load = ["up", "--yes", "--skip-preview"];
const sum = { loads: 0, found: 0, twice: 0, lost: 0 };

afterAll(() => {
  reportFigure(
    `bulk loads of ${resources} killed: ${sum.loads}, objects that the rerun found: ${sum.found}, twice: ${sum.twice}, lost: ${sum.lost}`,
  );
});

test.each(Array.from({ length: loads }, (_, i) => i))(
  'a first load without checkpoints that is killed, the %ith time, converges with adopt: "identical"',
  { timeout: 600_000 },
  async (i) => {
    const service = await ownService();
    const proxy = await faults.ownProxy(service.url);
    const project = newProject(proxy.url, program, { PULUMI_SKIP_CHECKPOINTS: "true" });
    expect((await project.init()).code).toBe(0);
    // At any moment of the load, early and late.
    const after = Math.ceil(((i + Math.random()) / loads) * resources);
    const writes = () => proxy.arrivals().filter(({ method, dryRun }) => method !== "GET" && !dryRun).length;
    const up = project.start(load);
    await faults.until(() => writes() >= after || up.child.exitCode !== null, `write ${after}`, 300_000);
    await killEngine(up.child);

    const cancelled = await project.run(["cancel", "--yes"]);
    expect(cancelled.code, cancelled.text).toBe(0);
    const standing = (await slugs(service)).length;
    const again = await project.run(load, { env: { OBSERVABILITY_ADOPT: "identical" } });
    expect(again.code, `killed after ${after} writes: ${again.text}`).toBe(0);
    const there = await slugs(service);
    const recorded = project.state().resources.flatMap(({ id, type }) => (type.includes("observability:") ? [id] : []));
    const wanted = Array.from({ length: resources }, (_, n) => `load-${n}`).sort();
    sum.loads += 1;
    sum.found += standing;
    sum.twice += there.filter((slug) => !wanted.includes(slug)).length;
    sum.lost += wanted.filter((slug) => !there.includes(slug) || !recorded.includes(slug)).length;
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
