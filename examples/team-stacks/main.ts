import { parseArgs } from "node:util";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { inParallel } from "./inParallel";
import { summary } from "./report";
import { teamNames } from "./team";
import { type Operation, TeamRun } from "./teamRun";

const usage = `usage: npm start -- [preview | up | destroy] [--team NAME]... [--parallel N]

  preview         says what "up" would do
  up              previews all teams, then updates those whose preview passed (default)
  destroy         deletes everything that the teams have
  --team NAME     only this team; may be repeated
  --parallel N    how many teams at a time (default: 4)`;

const commands: Readonly<Record<string, readonly Operation[]>> = {
  preview: ["preview"],
  // The Automation API's "up" does not preview, and the preview is where the service validates.
  up: ["preview", "up"],
  destroy: ["destroy"],
};

interface Settings {
  readonly operations: readonly Operation[];
  readonly teams: readonly string[];
  readonly parallel: number;
}

/** @throws where the command line or the environment is not as it should be. */
function settings(): Settings {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { team: { type: "string", multiple: true }, parallel: { type: "string", default: "4" } },
  });
  const [command = "up", ...rest] = positionals;
  const operations = commands[command];
  if (operations === undefined || rest.length > 0) throw new Error(`unknown command "${positionals.join(" ")}"`);
  const parallel = Number(values.parallel);
  if (!Number.isSafeInteger(parallel) || parallel < 1) throw new Error("--parallel must be a whole number from 1");
  const known = teamNames();
  const unknown = (values.team ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no team "${unknown.join('", "')}" in teams/; known are ${known.join(", ")}`);
  if (!process.env.OBSERVABILITY_BASE_URL)
    throw new Error("set OBSERVABILITY_BASE_URL to the address of the configuration service");
  return { operations, teams: values.team ?? known, parallel };
}

/** @returns the exit status: 1 where any team failed. */
async function provision({ operations, teams, parallel }: Settings): Promise<number> {
  const stopping = new AbortController();
  const cancelling = new AbortController();
  // A terminal's Ctrl-C reaches the running CLIs as well, and telling them twice would make them drop what they do.
  process.once("SIGINT", () => stopping.abort());
  process.once("SIGTERM", () => {
    stopping.abort();
    cancelling.abort();
  });

  const width = Math.max(...teams.map((name) => name.length));
  const runs = teams.map(
    (name) =>
      new TeamRun(name, (operation, line) => {
        console.log(`${name.padEnd(width)}  ${operation.padEnd(7)}  ${line}`);
      }),
  );
  // One operation after the other, so that all previews are known before anything is touched.
  for (const operation of operations) {
    await inParallel(runs, parallel, (run) => run.run(operation, stopping.signal, cancelling.signal));
  }
  console.log(`\n${summary(runs, process.stdout.columns ?? 120)}`);
  return runs.every(({ failure }) => failure === undefined) ? 0 : 1;
}

async function main(): Promise<number> {
  let chosen: Settings;
  try {
    chosen = settings();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return 2;
  }
  try {
    await PulumiCommand.get();
  } catch {
    console.error("unable to run the Pulumi CLI: install it, or put it on PATH (https://www.pulumi.com/docs/install/)");
    return 1;
  }
  return provision(chosen);
}

main().then((status) => {
  process.exitCode = status;
});
