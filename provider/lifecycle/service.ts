import { ConfigurationError } from "../client/errors";
import type { JsonObject } from "../wire/json";
import { shown } from "./lookUp";
import type { State } from "./record";
import type { Target } from "./target";

/**
 * Makes sure that the object was recorded at this service. A service may move: if the object exists at the new address
 * with the same creation time, it is the same service.
 * @param outputs The recorded outputs, with `createdAt`.
 * @throws {ConfigurationError} if it is another service.
 */
export async function assertSameService(target: Target, { notes }: State, outputs: JsonObject): Promise<void> {
  const { run, title } = target;
  const { baseUrl } = run.settings;
  const recorded = notes?.baseUrl;
  if (recorded === undefined || recorded === baseUrl || run.hasMoved(recorded)) return;
  const object = await shown(target);
  if (object !== undefined && Date.parse(String(object.created_at)) === Date.parse(String(outputs.createdAt))) {
    run.moved(recorded);
    run.note(
      `the service has moved from "${recorded}" to "${baseUrl}": ${title} is there, created at the same time ` +
        '("pulumi up" and then "pulumi refresh" record the new address)',
    );
    return;
  }
  throw new ConfigurationError(
    `it belongs to the service at "${recorded}", but baseUrl is "${baseUrl}", which does not show that object: set baseUrl ` +
      'back; or, to create it there too, run "pulumi state delete <its URN>" and "pulumi up"',
  );
}
