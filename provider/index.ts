import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import { readSettings } from "./client/settings";
import { adapt } from "./dynamic/adapter";
import { kinds } from "./kinds/index.gen";
import { Run } from "./lifecycle/run";
import { namespace } from "./schema/settings";

// The engine starts one process per provider and operation, and configures it alike for every kind.
let run: Run | undefined;

/**
 * What the text recorded in states asks for: the provider of one kind. Answered forever.
 * @throws where this version of the package does not know the kind.
 */
export function v1(kindName: string): dynamic.ResourceProvider {
  const kind = kinds.find(({ name }) => name === kindName);
  if (kind === undefined) {
    throw new Error(`this version of pulumi-observability knows no kind "${kindName}": install a newer one`);
  }
  return {
    ...adapt(kind, () => run ?? start(() => undefined)),
    // Synchronous and without any failure: the host calls methods before a promise settles, and asks only once.
    configure: ({ config }) => {
      run ??= start((name) => config.get(`${namespace}:${name}`));
      return Promise.resolve();
    },
  };
}

function start(configured: Parameters<typeof readSettings>[0]): Run {
  const listable = kinds.find(({ provesAddress }) => provesAddress);
  if (listable === undefined) throw new Error("one kind's list proves the address");
  const started = new Run(readSettings(configured, process.env), listable, console.log);
  run = started;
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
