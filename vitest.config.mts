import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Pulumi's SDK keeps state per process.
    pool: "forks",
    globalSetup: "test/support/compile.ts",
    execArgv: ["--require", join(import.meta.dirname, "test/support/late.cjs")],
    // The default leaves one core out; most tests wait for other processes.
    maxWorkers: "100%",
    // What a person installs is what is tested: the compiled package, loaded by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
