import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Of these, many files run in one process. Each of the others has its own: Pulumi's SDK keeps state in it.
const together = [
  "test/{messages,model,property,provider,service,witness}/**/*.test.ts",
  "test/unit/!(sdk)/**/*.test.ts",
];
// So do these, in other processes: the SDK's timers would run in tests with a clock of their own.
const engine = ["test/{commands,engine,install,secrets}/**/*.test.ts"];

// Deep runs run all tests with an engine also with the provider as a plugin. Others run test/engine/hosts.test.ts on it.
const onPlugin = process.env.TEST_DEEP === "1" ? ["test/{engine,secrets}/**/*.test.ts"] : [];

// Many times what a test takes: only one that hangs meets it.
const timeLimitMs = process.env.TEST_DEEP === "1" ? 5_400_000 : 600_000;

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "together", include: together, isolate: false } },
      { extends: true, test: { name: "engine", include: engine, isolate: false } },
      { extends: true, test: { name: "apart", include: ["test/**/*.test.ts"], exclude: [...together, ...engine] } },
      { extends: true, test: { name: "plugin", include: onPlugin, env: { TEST_HOST: "plugin" } } },
    ],
    pool: "forks",
    setupFiles: ["test/support/setUp.ts"],
    globalSetup: "test/support/leftOvers.ts",
    execArgv: ["--require", join(import.meta.dirname, "test/support/late.cjs")],
    // Two more than cores: most tests wait for other processes, and some for time to pass.
    maxWorkers: availableParallelism() + 2,
    // What a person installs is what is tested: the compiled package, loaded by Node itself.
    server: { deps: { external: [/\/dist\//] } },
    env: { TEST_TIME_LIMIT_MS: String(timeLimitMs) },
    expect: { poll: { timeout: timeLimitMs } },
    testTimeout: timeLimitMs,
    hookTimeout: timeLimitMs,
  },
});
