import type { dynamic } from "@pulumi/pulumi";
import { setTimeout as sleep } from "node:timers/promises";
import { type SettingTexts, settingTexts } from "./client/settingTexts";
import { resourceProviderOf } from "./dynamic/resourceProvider";
import { Claims } from "./lifecycle/claims";
import { lineOf, type Note, type Run } from "./lifecycle/run";
import { kindNamed, startRun } from "./lifecycle/start";
import { namespace } from "./schema/names";
import { whenGone } from "./whenGone";

// One run per process: the engine starts one process per provider and operation, with the same config for every kind.
let run: Run | undefined;

/**
 * The provider of one kind. The code recorded in states calls it, so it must exist forever.
 * @throws if this version of the package does not know the kind.
 */
export function v1(kindName: string): dynamic.ResourceProvider {
  return {
    ...resourceProviderOf(kindNamed(kindName), () => run ?? start(() => undefined)),
    // Synchronous, and never fails: the host calls this once, and does not wait for the promise before other methods.
    configure: ({ config }) => {
      run ??= start((name) => config.get(`${namespace}:${name}`));
      return Promise.resolve();
    },
  };
}

function start(configured: SettingTexts): Run {
  // The engine's address is the last argument of every provider process that it starts.
  const engineAddress = process.argv.at(-1) ?? "";
  const claims = Claims.of(engineAddress);
  const note: Note = (...content) => console.log(lineOf(...content));
  const started = startRun(settingTexts(configured, process.env), note, claims);
  run = started;
  process.on("exit", () => claims.close());
  // The engine sends SIGINT when it closes, at the end or on a second Ctrl-C, and kills the process 5 s later.
  // A repeated SIGINT changes nothing: the running end goes on.
  let ending: Promise<void> | undefined;
  const stop = () => void (ending ??= end(started));
  process.on("SIGINT", stop);
  // A killed engine sends nothing: without it, no answer would be recorded.
  whenGone(engineAddress, stop);
  return started;
}

// The time for the host to send the last answers, also on a machine that has much else to do.
const lastWordsMs = 500;

async function end(ending: Run): Promise<void> {
  if (await ending.interrupt()) await sleep(lastWordsMs);
  process.exit();
}
