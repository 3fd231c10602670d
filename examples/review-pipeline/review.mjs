#!/usr/bin/env node
// What a pull request's job runs: previews the program beside it, says in words what would change or why it is refused,
// and exits with 1 where the job must be red.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { driftText, markdownOf, reviewText } from "./summary.mjs";

const usage = `usage: node review.mjs [--drift] [--stack NAME] [--markdown FILE] [-- OPTIONS]

  --drift           compare the service with the program; red where they differ
  --stack NAME      the stack, by default the selected one
  --markdown FILE   append the summary to FILE, by default to $GITHUB_STEP_SUMMARY
  OPTIONS           passed on to "pulumi preview"`;

/** @returns {number} the exit status */
function main() {
  let options;
  try {
    options = parseArgs({
      allowPositionals: true,
      options: {
        drift: { type: "boolean", default: false },
        stack: { type: "string" },
        markdown: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  const { values, positionals } = options;
  if (values.help) {
    console.log(usage);
    return 0;
  }

  const { text, isGreen } = preview(values.drift, [
    ...(values.stack === undefined ? [] : ["--stack", values.stack]),
    ...positionals,
  ]);
  console.log(text);
  const file = values.markdown ?? process.env.GITHUB_STEP_SUMMARY;
  if (file) appendFileSync(file, markdownOf(text));
  return isGreen ? 0 : 1;
}

/** @param {boolean} drift @param {readonly string[]} options */
function preview(drift, options) {
  const mode = drift ? ["--refresh", "--expect-no-changes"] : [];
  // Asks no question, even where somebody runs it in a terminal.
  const { status, stdout, stderr, error } = spawnSync(
    "pulumi",
    ["preview", "--json", "--non-interactive", ...mode, ...options],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: Number.POSITIVE_INFINITY,
    },
  );
  if (error !== undefined) {
    return { text: `unable to run "pulumi": ${error.message}; is the Pulumi CLI on PATH?`, isGreen: false };
  }
  try {
    const digest = JSON.parse(stdout);
    // The exit status decides; the digest only says why.
    return { text: drift ? driftText(digest) : reviewText(digest), isGreen: status === 0 };
  } catch {
    // It did not come as far as a preview: no such stack, a wrong passphrase, another update running.
    return { text: `unable to preview, "pulumi preview" ended with ${status}:\n\n${stderr.trim()}`, isGreen: false };
  }
}

process.exitCode = main();
