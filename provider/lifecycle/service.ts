import { ConfigurationError } from "../client/errors";
import type { Kind } from "../schema/kind";
import { type Run, titleOf } from "./run";

/** @throws {ConfigurationError} where an object recorded at one service would be looked for at another. */
export function assertSameService(run: Run, kind: Kind, slug: string, recorded: string | undefined): void {
  const { baseUrl } = run.settings;
  if (recorded === undefined || recorded === baseUrl) return;
  throw new ConfigurationError(
    `${titleOf(kind, slug)} was written at "${recorded}", but baseUrl is "${baseUrl}": set it back. ` +
      `If the same service has a new address, put it in place of the old one in the stack's state (pulumi stack export, ` +
      `then import); to move to another service, take the resource out of the state (pulumi state delete) and run pulumi up`,
  );
}
