import { Command } from "commander";
import { version } from "../provider/client/version.gen";
import { backtestOptions } from "./commands/backtest/options";
import { convertOptions } from "./commands/convert/options";
import { doctorOptions } from "./commands/doctor/options";
import { driftOptions } from "./commands/drift/options";
import { exportOptions } from "./commands/export/options";
import { importOptions } from "./commands/import/options";
import { loadOptions } from "./commands/load/options";
import { wrapped } from "./commands/options";
import { pageOptions } from "./commands/page/options";
import { reviewOptions } from "./commands/review/options";
import { secretsOptions } from "./commands/secrets/options";
import { teamsOptions } from "./commands/teams/options";

// Options load what parses them; a command loads its code only when it runs.
const commands = [
  doctorOptions,
  importOptions,
  convertOptions,
  secretsOptions,
  exportOptions,
  reviewOptions,
  pageOptions,
  driftOptions,
  backtestOptions,
  teamsOptions,
  loadOptions,
];

/** Returns the command `pulumi-observability` with all its commands. */
export function commandLine(): Command {
  const program = new Command("pulumi-observability")
    .description(
      "Bring existing observability configuration into Pulumi programs, review what changes do to alerting, and run many stacks.",
    )
    .version(version)
    .addHelpText(
      "after",
      wrapped(
        "\nExit status: 0 success, 1 failure, 2 invalid arguments, 3 finished with findings (rejected input, a risk, drift, " +
          "an exceeded limit).\n" +
          "Settings: OBSERVABILITY_BASE_URL, OBSERVABILITY_API_TOKEN and so on, or the stack config of --stack.\n",
      ),
    );
  for (const options of commands) program.addCommand(options());
  return program;
}
