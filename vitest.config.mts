import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Pulumi's SDK keeps state per process.
    pool: "forks",
    globalSetup: ["test/support/compile.ts", "test/support/blanks.ts"],
    execArgv: ["--require", join(import.meta.dirname, "test/support/late.cjs")],
    // One more than cores: most tests wait for other processes, and some for time to pass.
    maxWorkers: availableParallelism() + 1,
    // What a person installs is what is tested: the compiled package, loaded by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
