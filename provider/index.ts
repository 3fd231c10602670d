import type { dynamic } from "@pulumi/pulumi";
import { setTimeout as sleep } from "node:timers/promises";
import { type SettingTexts, settingTexts } from "./client/settingTexts";
import { adapt } from "./dynamic/adapter";
import { Operation } from "./lifecycle/operation";
import type { Run } from "./lifecycle/run";
import { kindNamed, startRun } from "./lifecycle/start";
import { namespace } from "./schema/names";

// The engine starts one process per provider and operation, and configures it alike for every kind.
let run: Run | undefined;

/**
 * What the text recorded in states asks for: the provider of one kind. Answered forever.
 * @throws where this version of the package does not know the kind.
 */
export function v1(kindName: string): dynamic.ResourceProvider {
  return {
    ...adapt(kindNamed(kindName), () => run ?? start(() => undefined)),
    // Synchronous and without any failure: the host calls methods before a promise settles, and asks only once.
    configure: ({ config }) => {
      run ??= start((name) => config.get(`${namespace}:${name}`));
      return Promise.resolve();
    },
  };
}

function start(configured: SettingTexts): Run {
  // The engine's address is the last argument of every provider process that it starts.
  const operation = Operation.of(process.argv.at(-1) ?? "");
  const started = startRun(settingTexts(configured, process.env), console.log, operation);
  run = started;
  process.on("exit", () => operation.close());
  // The engine says so when it closes, at the end or on a second Ctrl-C, and kills five seconds later.
  // Told once more, it goes on finishing what it has begun.
  let ending: Promise<void> | undefined;
  process.on("SIGINT", () => void (ending ??= end(started)));
  return started;
}

// For the host to send the last answers.
const lastWordsMs = 50;

async function end(ending: Run): Promise<void> {
  if (await ending.interrupt()) await sleep(lastWordsMs);
  process.exit();
}
