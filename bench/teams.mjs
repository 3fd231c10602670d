import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../tools/project.mjs";
import { pulumiEnv } from "../tools/pulumi.mjs";
import { median, ratio, wallOf, wallRatio } from "./figures.mjs";
import { canMeasure, statOf } from "./processes.mjs";
import { atMost } from "./result.mjs";
import { interleave } from "./rounds.mjs";
import { startService } from "./service.mjs";

const perTeam = 50;
const parallel = 2;
const main = join(root, "dist/cli/main.js");

/** @typedef {{ wallSeconds: number, cpuSeconds: number }} Cost */

/**
 * Measures what a team costs: the command `teams` against the CLI in a shell's loop with the same programs, and a first load
 * of one team with and without checkpoints.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function teams(context) {
  const { resources, latency, rounds } = context.options;
  const count = Math.max(2, Math.round(resources / perTeam));
  const service = await startService();
  await service.setLatency(latency);
  const folder = mkdtempSync(join(tmpdir(), "pulumi-observability-bench-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const env = {
    ...pulumiEnv({ home: join(folder, "home"), backend: join(folder, "state"), pulumi: context.pulumi }),
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: service.token,
    BENCH_TOKEN: service.token,
  };
  let worlds = 0;
  /** A folder of teams whose slugs nobody has. @param {number} size @param {number} each */
  const newTeams = (size, each) => {
    const home = join(folder, `world-${(worlds += 1)}`);
    mkdirSync(join(home, "teams"), { recursive: true });
    const names = Array.from({ length: size }, (_, i) => `w${worlds}-${i}`);
    for (const name of names) writeFileSync(join(home, "teams", `${name}.ts`), teamFile(each));
    return { home, names };
  };
  /** @param {string} home @param {readonly string[]} args */
  const command = (home, ...args) =>
    measure(process.execPath, [main, "teams", ...args, "--parallel", String(parallel), "--json"], home, env);
  try {
    const sides = {
      ours: async () => {
        const { home } = newTeams(count, perTeam);
        return { first: await command(home, "up"), again: await command(home, "up") };
      },
      cli: async () => {
        const { home, names } = newTeams(count, perTeam);
        for (const name of names) writeProject(join(home, name), name);
        const script = (/** @type {string} */ inits) =>
          measure(
            "sh",
            ["-c", `printf '%s\\n' ${names.join(" ")} | xargs -P ${parallel} -I{} sh -ec '${inits}'`],
            home,
            env,
          );
        const run = "cd {}; export OBSERVABILITY_SLUG_PREFIX={}-; pulumi preview -s {} >&2; pulumi up -y -f -s {} >&2";
        return { first: await script(`(cd {}; pulumi stack init {} >&2); ${run}`), again: await script(run) };
      },
    };
    const title = `${count} teams of ${perTeam} monitors, ${parallel} at a time`;
    const { ours, cli } = await interleave(
      sides,
      Math.min(rounds, 3),
      (run) => run(),
      (round, side, { first }) => context.progress(title)(round, side, first),
    );
    const loading = `first load of one team of ${resources} monitors`;
    const { without, withThem } = await interleave(
      { without: ["up"], withThem: ["up", "--checkpoints"] },
      Math.min(rounds, 3),
      (args) => command(newTeams(1, resources).home, ...args),
      context.progress(loading),
    );
    /** @param {readonly Cost[]} costs */
    const each = (costs) => per(costs, count);
    const firsts = { ours: ours.map(({ first }) => first), cli: cli.map(({ first }) => first) };
    const agains = { ours: ours.map(({ again }) => again), cli: cli.map(({ again }) => again) };
    return {
      rows: [
        atMost(`${title}: first run, CPU, ours / CLI`, ratio(firsts.ours.map(cpuOf), firsts.cli.map(cpuOf)), 1),
        atMost(`${title}: run again, CPU, ours / CLI`, ratio(agains.ours.map(cpuOf), agains.cli.map(cpuOf)), 0.7),
        atMost(`${loading}: wall, without / with checkpoints`, wallRatio(without, withThem), 0.5),
      ],
      tables: [
        [
          `${title}, per team`,
          `first run   ours ${each(firsts.ours)}   CLI ${each(firsts.cli)}`,
          `run again   ours ${each(agains.ours)}   CLI ${each(agains.cli)}`,
        ].join("\n"),
        `${loading}\nwithout checkpoints ${per(without, 1)}   with checkpoints ${per(withThem, 1)}`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await service.stop();
  }
}

const cpuOf = (/** @type {Cost} */ { cpuSeconds }) => cpuSeconds;

/** @param {readonly Cost[]} costs @param {number} count */
const per = (costs, count) =>
  `${(median(costs.map(wallOf)) / count).toFixed(2)} s, CPU ${(median(costs.map(cpuOf)) / count).toFixed(2)} s`;

/**
 * Runs a command to its end. Its processor time is that of all processes that it waited for.
 * @param {string} file @param {readonly string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Cost>}
 */
async function measure(file, args, cwd, env) {
  const [started, used] = [performance.now(), cpuOfChildren()];
  await promisify(execFile)(file, args, { cwd, env, maxBuffer: Infinity });
  return { wallSeconds: (performance.now() - started) / 1000, cpuSeconds: cpuOfChildren() - used };
}

const cpuOfChildren = () => (canMeasure ? statOf("self").endedChildrensSeconds : NaN);

const monitors = (/** @type {number} */ count) => `
    for (let i = 0; i < ${count}; i++) {
      new obs.Monitor(\`monitor-\${i}\`, {
        labels: { team: "bench" },
        labelQuery: \`sum(rate(http_errors_total{service="service-\${i}"}[5m]))\`,
        seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120 }] } } },
      });
    }`;

const teamFile = (/** @type {number} */ count) => `import * as obs from "pulumi-observability";
import { defineTeam } from "pulumi-observability/teams";

export default defineTeam({
  tokenVariable: "BENCH_TOKEN",
  declare() {${monitors(count)}
  },
});
`;

/** The same as a project of the CLI. @param {string} folder @param {string} name */
function writeProject(folder, name) {
  mkdirSync(folder);
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, main: "index.js" }));
  writeFileSync(join(folder, "index.js"), `const obs = require("pulumi-observability");\n${monitors(perTeam)}\n`);
}
