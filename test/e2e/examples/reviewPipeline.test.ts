import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pulumiEnv } from "../../../tools/pulumi.mjs";
import { quickStart } from "../../support/quickStart.js";
import { ask, ownService, token } from "../../support/service.js";
import { copyExample, run } from "./program.js";

const onCallKey = "canary-on-call-key";
const rotatedKey = "canary-rotated-key";

const { folder, program } = copyExample("review-pipeline");
const file = join(program, "index.ts");
const merged = readFileSync(file, "utf8");
const summary = join(folder, "summary.md");
const service = await ownService();
const env = {
  ...pulumiEnv({ home: join(folder, "home"), backend: join(folder, "state") }),
  ...quickStart,
  // Types are checked by "npm run check"; here they would take a second per run.
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  OBSERVABILITY_BASE_URL: service.url,
  OBSERVABILITY_API_TOKEN: token,
  GITHUB_STEP_SUMMARY: summary,
};
const inProgram = (command: string, input = "") => run(command, { cwd: program, env, input });

/** What a job of a job file runs: the review's command, then the drift's. */
const commandsOf = (jobFile: string) =>
  readFileSync(join(program, "ci", jobFile), "utf8").match(/node review\.mjs.*/g) ?? [];
const [review = "", drift = ""] = commandsOf("github-actions.yml");

/** The program as a pull request changes it. */
function propose(...changes: readonly (readonly [from: string, to: string])[]): void {
  let text = merged;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  writeFileSync(file, text);
}

const setKey = (key: string) => inProgram("pulumi config set --secret onCallKey --stack production", key);

beforeAll(async () => {
  for (const { status, output } of [
    await inProgram("pulumi stack init production"),
    await setKey(onCallKey),
    await inProgram("pulumi up --yes --skip-preview --stack production"),
  ]) {
    expect(status, output).toBe(0);
  }
});

describe("the review job", () => {
  test("is green on a good change, and says what it does to which property", async () => {
    propose(
      ['"payments-api", errorRatio: 0.01', '"payments-api", errorRatio: 0.02'],
      ['"payments-ledger"', '"payments-refunds"'],
      ['new obs.Dataset("payments-logs", {', 'new obs.Dataset("payments-logs", {\n  slug: "payments-all-logs",'],
    );
    await setKey(rotatedKey);
    const { status, output } = await inProgram(review);
    await setKey(onCallKey);
    expect({ status, output }).toMatchInlineSnapshot(`
      {
        "output": "payments-observability in production: 3 to create, 2 to change, 1 to replace, 3 to delete

      +  create Monitor "payments-refunds-errors"
      +  create Monitor "payments-refunds-latency"
      +  create SLO "payments-refunds-availability"
      ~  change Monitor "payments-api-errors"
          seriesConditions.defaults.critical.conditions[0].value: 0.01 → 0.02
          seriesConditions.defaults.warn.conditions[0].value: 0.005 → 0.01
      ~  change Notifier "payments-on-call"
          oncallA.apiKey: changed (secret)
      +- replace Dataset "payments-logs"
          slug: "payments-logs" → "payments-all-logs"
      -  delete Monitor "payments-ledger-errors"
      -  delete Monitor "payments-ledger-latency"
      -  delete SLO "payments-ledger-availability"
      ",
        "status": 0,
      }
    `);
    expect(readFileSync(summary, "utf8")).toContain("```diff");
  });

  test("is red on an invalid monitor, and names the path", async () => {
    propose(['{ op: "GT", value: errorRatio, ', "{ value: errorRatio, "]);
    const { status, output } = await inProgram(review);
    expect(status).toBe(1);
    expect(output).toContain("payments-observability in production: refused");
    expect(output).toMatch(
      /✗ Monitor "payments-(?:api|ledger)-errors"\n {4}seriesConditions\.defaults\.critical\.conditions\[0\]\.op: is required/,
    );
    expect(readFileSync(summary, "utf8")).toContain("conditions[0].op: is required");
  });

  test("is red where there can be no preview, and says why", async () => {
    const { status, output } = await inProgram(review.replace("production", "staging"));
    expect(status).toBe(1);
    expect(output).toContain("no stack named 'staging' found");
  });

  test("runs alike under both job files", () => {
    const options = (command: string) => command.replace(/ --markdown \S+/, "");
    expect(commandsOf("gitlab-ci.yml").map(options)).toEqual([review, drift]);
  });
});

test("the drift job is red after an edit from outside, and green when that is repaired", async () => {
  propose();
  const path = "/api/v1/config/monitors/payments-api-errors";
  const { body } = await ask(service, "GET", path);
  const monitor = { ...Object(body.monitor), interval_secs: 300 };
  expect((await ask(service, "PUT", path, { monitor })).status).toBe(200);
  expect((await ask(service, "DELETE", "/api/v1/config/datasets/payments-logs")).status).toBe(200);

  expect(await inProgram(drift)).toMatchInlineSnapshot(`
    {
      "output": "payments-observability in production: 2 resources are not as the program says

    +  missing: Dataset "payments-logs"
    ~  differs: Monitor "payments-api-errors"
        intervalSecs: 300 but the program says 30

    Edited outside of Pulumi, or merged and not applied yet. To restore what the
    program says: "pulumi up --refresh". To keep an edit: write it into the program.
    ",
      "status": 1,
    }
  `);
  const repaired = await inProgram("pulumi up --refresh --yes --skip-preview --stack production");
  expect(repaired.status, repaired.output).toBe(0);
  expect(await inProgram(drift)).toEqual({
    status: 0,
    output: "payments-observability in production: as the program says\n",
  });
});
