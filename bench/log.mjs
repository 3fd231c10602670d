import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { merged } from "./result.mjs";
import { interleave, inTurn } from "./rounds.mjs";
import { compared } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures what the CLI's automatic log of every operation costs. Runs without it have a PULUMI_HOME in which a file is in
 * the place of the log's folder.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function log(context) {
  const { resources, rounds } = context.options;
  const home = mkdtempSync(join(tmpdir(), "observability-bench-"));
  writeFileSync(join(home, "logs"), "");
  const sides = { "with log": {}, without: { PULUMI_HOME: home } };
  try {
    return await inWorld(context, context.kindOr("Monitor"), resources, async ({ ours, create }) => {
      /** @param {string} title @param {readonly string[]} command @param {import("./project.mjs").Steps} steps */
      const measured = async (title, command, steps) => {
        const runs = await interleave(
          sides,
          rounds,
          (env) => ours.run(command, { resources, changed: steps.update ?? 0, steps, env }),
          context.progress(title),
        );
        return { rows: [], tables: [compared(`${title}, ${resources} Monitors`, runs)] };
      };
      const isNew = await measured("first preview", ["preview"], { create: resources + 1 });
      await create();
      const same = { same: resources + 1 };
      const others = await inTurn(
        [
          () => measured("preview, nothing changed", ["preview"], same),
          () => measured("preview, all changed", ["preview"], { update: resources, same: 1 }),
          () => measured("preview --refresh", ["preview", "--refresh"], same),
        ],
        (next) => next(),
      );
      return merged([isNew, ...others]);
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
