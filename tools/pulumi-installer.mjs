// node pulumi-installer.mjs FOLDER VERSION: runs in its own process, so that it can have a time limit.
import { createRequire } from "node:module";

const [folder = "", version = ""] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { PulumiCommand } = require("@pulumi/pulumi/automation");
const semver = createRequire(require.resolve("@pulumi/pulumi/package.json"))("semver");
try {
  await PulumiCommand.install({ root: folder, version: semver.parse(version) });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
