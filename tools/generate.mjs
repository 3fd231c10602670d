import { join } from "node:path";
import { createLog, runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { runInPlace } from "./run.mjs";
import { buildForGenerator, setUp } from "./setup.mjs";

await runScript(async () => {
  const log = createLog();
  await setUp({ cli: false, build: false, log });
  await buildForGenerator({ log, env: process.env });
  return runInPlace(process.execPath, [join(root, "dist/provider/generate/main.js"), ...process.argv.slice(2)], {
    cwd: root,
  });
});
