import { ConfigurationError } from "../client/errors";
import type { Run } from "./run";

/** @throws {ConfigurationError} where an object recorded at one service would be looked for at another. */
export function assertSameService(run: Run, recorded: string | undefined): void {
  const { baseUrl } = run.settings;
  if (recorded === undefined || recorded === baseUrl) return;
  throw new ConfigurationError(
    `it belongs to the service at "${recorded}", but baseUrl is "${baseUrl}": set baseUrl back; ` +
      'if that service has moved, replace its address in the state ("pulumi stack export", edit, "pulumi stack import"); ' +
      'to go to another service, take the resource out of the state ("pulumi state delete") and run "pulumi up"',
  );
}
