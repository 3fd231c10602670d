import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn, root } from "./repository.js";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
}

const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const examples = filesIn("examples").filter((path) => path.includes("/ci/"));
const gitlab = examples.filter((path) => path.endsWith("gitlab-ci.yml"));
const github = [...filesIn(".github/workflows"), ...examples.filter((path) => !gitlab.includes(path))];
const installs = /npm ci|npm install|curl/;
const writes = /pulumi up|teams up/;
const publishes = /npm publish|gh release create/;
const asks = /pulumi-observability (review|drift|teams preview)|pulumi up|teams up/;

describe.each(github)("%s", (path) => {
  const text = textOf(path);
  const { jobs, ...top } = parse(text);
  const jobList: readonly Job[] = Object.values(jobs);

  test("names each action by its commit, with the version as a comment", () => {
    const actions = [...text.matchAll(/uses: *(.*)/g)].map(([, action]) => action);
    expect(actions.filter((action = "") => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/.test(action))).toEqual([]);
  });

  test("gives a secret only to the step that needs it, never to an action or an installation", () => {
    const steps = jobList.flatMap(({ steps }) => steps);
    const isGiven = ({ run = "" }: Step) => asks.test(run) && !installs.test(run);
    // Whether there is a secret is not a secret.
    const kept = (step: Step) =>
      JSON.stringify(isGiven(step) ? { ...step, env: {} } : step).replaceAll(/\$\{\{ secrets\.\w+ != '' \}\}/g, "");
    expect([JSON.stringify(top), ...steps.map(kept)].filter((each) => each.includes("secrets."))).toEqual([]);
    expect(jobList.filter((job) => JSON.stringify({ ...job, steps: [] }).includes("secrets."))).toEqual([]);
  });

  test("has one environment for what writes, and another one for what only reads", () => {
    expect(top.permissions).toEqual({ contents: "read" });
    for (const { steps, environment } of jobList) {
      const commands = steps.map(({ run = "" }) => run).join("\n");
      const asked = asks.test(commands) ? "review" : undefined;
      const published = publishes.test(commands) ? "release" : asked;
      expect(environment, commands).toBe(writes.test(commands) ? "production" : published);
    }
  });

  test("lets only jobs publish that run no code of the repository or its dependencies, and to one place each", () => {
    for (const { steps, permissions = {} } of jobList) {
      const commands = steps.map(({ run = "" }) => run).join("\n");
      const published = ["contents", "id-token", "packages"].filter((place) => permissions[place] === "write");
      expect(published, commands).toHaveLength(publishes.test(commands) ? 1 : 0);
      if (publishes.test(commands))
        expect(JSON.stringify(steps)).not.toMatch(/checkout@|npm (ci|i|install|run|test)\b/);
    }
  });
});

describe.each(gitlab)("%s", (path) => {
  const { stages: _, default: shared, variables: __, ...jobs } = parse(textOf(path));
  const commandsOf = (job: Readonly<Record<string, unknown>>) =>
    [job.before_script ?? shared.before_script, job.script, job.after_script].flat().join("\n");
  const environmentOf = (job: Readonly<Record<string, unknown>>) => Object(job.environment).name;

  test("gives variables only to the jobs that need them, never to an installation", () => {
    for (const [name, job] of Object.entries<Readonly<Record<string, unknown>>>(jobs)) {
      const commands = commandsOf(job);
      const wanted = writes.test(commands) ? "production" : asks.test(commands) ? "review" : undefined;
      expect(environmentOf(job), name).toBe(commands.includes("REVIEW_TOKEN") ? "note" : wanted);
      if (environmentOf(job) !== undefined) expect(commands, name).not.toMatch(installs);
    }
  });
});

test("the jobs of the examples fail for values that look like mistakes", () => {
  for (const path of examples) {
    const { env, variables } = parse(textOf(path));
    expect({ ...env, ...variables }, path).toMatchObject({ OBSERVABILITY_UNKNOWN_VALUES: "fail" });
  }
});
