#!/usr/bin/env node
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { destination, pino } from "pino";
import { StartError } from "./errors.js";
import { defaults, keyFileOf, type Service, type ServiceOptions, startService } from "./server.js";
import { inMemory } from "./store/sqlite.js";

interface Options extends Omit<ServiceOptions, "key" | "log"> {
  readonly database: string;
  readonly logLevel: string;
}

const command = new Command("observability-service")
  .description("The reference configuration service.")
  .option("--host <address>", "address to listen on", defaults.host)
  .option("--port <number>", "port to listen on; 0 takes any free one", port, 8787)
  .option("--database <file>", `SQLite file, or ${inMemory} to keep nothing`, "observability.db")
  .addOption(
    new Option(
      "--token <token>",
      "API token; replaces the one stored before (default: the stored one, or a new one)",
    ).env("OBSERVABILITY_API_TOKEN"),
  )
  .addOption(
    new Option("--operations <which>", "the eleven operations in the API spec, or all")
      .choices(["described", "all"])
      .default(defaults.operations),
  )
  .option("--strict", "reject unknown fields and query parameters instead of ignoring them", defaults.strict)
  .option("--no-query-check", "accept queries that are not valid PromQL; --operations described always accepts them")
  .option("--show-secrets", "answer secrets in plain text instead of masked", defaults.showSecrets)
  .addOption(
    new Option("--log-level <level>", "what to log on stderr, as JSON lines")
      .choices(["silent", "error", "warn", "info"])
      .default("warn"),
  )
  .addHelpText(
    "after",
    "\nOBSERVABILITY_SERVICE_KEY: the key of the secrets, 32 bytes in base64 (default: the file <database>.key)",
  );

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError("expected 0 to 65535");
  return value;
}

/** The text on stdout after the start: the address, where the data is, and the variables to set. */
function greeting(service: Service, { database, token }: Options): string {
  const file = resolve(database);
  const key = process.env.OBSERVABILITY_SERVICE_KEY === undefined ? `key in ${keyFileOf(file)}` : "key given";
  const where = database === inMemory ? "in memory, lost when the service stops" : `in ${file}, ${key}`;
  return [
    `configuration service on ${service.url}`,
    `data ${where}`,
    ...(service.tokenIsNew ? ["the token is new and is not shown again"] : []),
    "",
    `export OBSERVABILITY_BASE_URL=${service.url}`,
    `export OBSERVABILITY_API_TOKEN=${service.tokenIsNew ? service.token : token === undefined ? "<the token of the first start>" : "<the token given>"}`,
    "",
  ].join("\n");
}

async function main(): Promise<void> {
  const options = command.parse().opts<Options>();
  const { logLevel, ...rest } = options;
  const log = pino({ level: logLevel }, destination({ dest: 2, sync: true }));
  const key = process.env.OBSERVABILITY_SERVICE_KEY;
  const settings: ServiceOptions = { ...rest, ...(key === undefined ? {} : { key }), log };

  let service: Service;
  try {
    service = await startService(settings);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
    return;
  }
  let stopping = false;
  const stop = async () => {
    // A second signal stops at once.
    if (stopping) process.exit(1);
    stopping = true;
    const failure = await service.close().catch((error: Error) => error.message);
    if (failure !== undefined) console.error(`error: ${failure}`);
    process.exit(failure === undefined ? 0 : 1);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => void stop());
  // After the signal handlers, because a caller may stop the service as soon as it is ready.
  console.log(greeting(service, options));
}

await main();
