import type { dynamic } from "@pulumi/pulumi";
import type { SettingTexts } from "./client/settingTexts";
import { resourceProviderOf } from "./dynamic/resourceProvider";
import { sessionOfProcess } from "./lifecycle/providerProcess";
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

// The engine gives the same config for every kind. Its address is the last argument of every provider process that it starts.
const start = (configured: SettingTexts): Session =>
  sessionOfProcess(configured, process.argv.at(-1) ?? "", (...content) => console.log(lineOf(...content)));
