import { join } from "node:path";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { runInPlace } from "./run.mjs";
import { setUp } from "./setup.mjs";

await runScript(async () => {
  await setUp({ despiteErrors: true });
  return runInPlace(process.execPath, [join(root, "dist/tools/generate/main.js"), ...process.argv.slice(2)], {
    cwd: root,
  });
});
