import type { dynamic } from "@pulumi/pulumi";
import type { SettingTexts } from "./client/settingTexts";
import { resourceProviderOf } from "./dynamic/resourceProvider";
import { endWithEngine, sessionOfProcess } from "./lifecycle/providerProcess";
import { lineOf, type Session, kindNamed } from "./lifecycle/session";
import { namespace } from "./schema/names";

/**
 * The provider of one kind. The code recorded in states calls it, so it must exist forever.
 * @throws if this version of the package does not know the kind.
 */
export function v1(kindName: string): dynamic.ResourceProvider {
  return {
    ...resourceProviderOf(kindNamed(kindName), () => start(() => undefined)),
    // Synchronous, and never fails: the host calls this once for each kind, and does not wait for the promise before other methods.
    configure: ({ config }) => {
      start((name) => config.get(`${namespace}:${name}`));
      return Promise.resolve();
    },
  };
}

/** The last argument of every provider process that the engine starts. */
const engineAddress = process.argv.at(-1) ?? "";

// The engine gives the same config for every kind.
const start = (configured: SettingTexts): Session =>
  sessionOfProcess(configured, engineAddress, (...content) => console.log(lineOf(...content)));

// Only the host's process loads this file, for its first call.
endWithEngine(engineAddress);
