import { runScript } from "./log.mjs";
import { setUp } from "./setup.mjs";

await runScript(async () => {
  await setUp();
});
