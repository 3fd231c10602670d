import { ConfigurationError, ObservabilityError } from "../../client/errors";
import { isForbidden } from "../../client/failures";
import { isSameTime } from "../../base/sameTime";
import type { JsonObject } from "../../wire/json";
import type { LookedUp } from "./lookUp";
import type { RecordedState } from "./record";
import type { Target } from "./target";

/** The recorded facts that identify the object, in addition to its kind and slug. */
export type Recorded = Pick<RecordedState, "createdAt">;

/** Whether the service's object differs from the recorded one: it has the same slug, but was created at another time. */
export const isAnother = ({ createdAt }: Recorded, object: JsonObject): boolean =>
  isSameTime(createdAt, object.created_at) === false;

const bothTimes = ({ createdAt }: Recorded, object: JsonObject) =>
  `old object created ${createdAt}, new object created ${String(object.created_at)}`;

/** The object and the two times, as one of many in a line. */
export const withTimes = ({ title }: Target, recorded: Recorded, object: JsonObject): string =>
  `${title} (${bothTimes(recorded, object)})`;

/** The error of a write to an object that is not the recorded one. */
export const notOurs = (recorded: Recorded, object: JsonObject): ObservabilityError =>
  new ObservabilityError(
    "conflict",
    `the object was deleted and recreated outside this stack (${bothTimes(recorded, object)})`,
    { hint: 'To accept the new object, run "pulumi refresh". To overwrite it, set adopt: true' },
  );

/** Notes that it is unknown whether the object that is written or deleted is the recorded one. */
export function noteUncomparedTime(
  { session, kind, title }: Target,
  { createdAt }: Recorded,
  object: JsonObject,
  verb: "updates" | "deletes",
): void {
  if (isSameTime(createdAt, object.created_at) !== undefined) return;
  const who = createdAt === undefined ? "state has" : "this service shows";
  const what = `${who} no creation time for ${kind.manyTitle}, so the provider can't verify that this stack created the object, and ${verb} it anyway`;
  session.noteShared(what, title);
}

/** Notes what an update can't keep if the token may not read the object that it overwrites. */
export function noteUnread({ session, kind }: Target, found: LookedUp): void {
  if (found.state !== "uncertain" || !isForbidden(found.why)) return;
  session.noteOnce(
    `this token can't read ${kind.manyTitle}, so an update erases fields that this version of pulumi-observability doesn't support. To keep them, use a token with read access`,
  );
}

/** Whether the object was recorded under another URL. */
export const isUnderOtherUrl = ({ session }: Pick<Target, "session">, { record }: RecordedState): boolean =>
  record !== undefined && record.baseUrl !== session.settings.baseUrl;

/**
 * Makes sure that an object that was recorded under another URL is the one at this URL.
 * @param object What the service has; undefined if it has none, or does not show it.
 * @throws {ConfigurationError} if it is not.
 */
export function assertSameService({ session }: Target, state: RecordedState, object: JsonObject | undefined): void {
  const { baseUrl } = session.settings;
  const recorded = state.record?.baseUrl;
  if (!isUnderOtherUrl({ session }, state)) return;
  if (object === undefined || isSameTime(state.createdAt, object.created_at) !== true) {
    throw new ConfigurationError(
      `the object belongs to the service at "${recorded}", but baseUrl is "${baseUrl}", where this token doesn't find the object. ` +
        "Set baseUrl back, or use a token that can read the object. To leave it in the old service, run " +
        '"pulumi state delete <its URN>"',
    );
  }
  session.noteOnce(
    `the service has moved from "${recorded}" to "${baseUrl}": its objects have the recorded creation times. To record the ` +
      'new URL in state, run "pulumi up" and then "pulumi refresh"',
  );
}
