import { ConfigurationError, ObservabilityError } from "../client/errors";
import { isSameTime } from "../values/sameTime";
import type { JsonObject } from "../wire/json";
import type { State } from "./record";
import type { Target } from "./target";

/** What state tells to recognize the object by, beside its kind and slug. */
export type Recorded = Pick<State, "createdAt">;

/** Whether the service's object is another one than state records: it has the same slug, but was made at another time. */
export const isAnother = ({ createdAt }: Recorded, object: JsonObject): boolean =>
  isSameTime(createdAt, object.created_at) === false;

/** Why the object is not the recorded one, with the time of each. */
export const whyAnother = ({ createdAt }: Recorded, object: JsonObject): string =>
  `it is not the recorded object: that was created at ${createdAt} and is gone, this one was created at ${String(object.created_at)}`;

/** The object and the two times, as one of many in a line. */
export const withTimes = ({ title }: Target, { createdAt }: Recorded, object: JsonObject): string =>
  `${title} (created at ${String(object.created_at)}, the recorded one at ${createdAt})`;

/** The error of a write to an object that is not the recorded one. */
export const notOurs = (recorded: Recorded, object: JsonObject): ObservabilityError =>
  new ObservabilityError("conflict", whyAnother(recorded, object), {
    hint:
      'run "pulumi refresh" to take it as this resource\'s; or set adopt: true to take it over and update it, or ' +
      '"identical" if a run of this stack was killed while it replaced the object; or choose another slug',
  });

/** Tells the user once that nobody can say whether the object is the recorded one. */
export function reportIfUnknown(
  { run, kind }: Target,
  { createdAt }: Recorded,
  object: JsonObject,
  what: string,
): void {
  if (isSameTime(createdAt, object.created_at) !== undefined) return;
  const who = createdAt === undefined ? "state records" : "this service shows";
  run.noteOnce(`${who} no creation time of a ${kind.title}: what is ${what} is not compared with the recorded object`);
}

/** Whether the object was recorded under another address. */
export const isElsewhere = ({ run }: Pick<Target, "run">, { notes }: State): boolean =>
  notes !== undefined && notes.baseUrl !== run.settings.baseUrl;

/**
 * Makes sure that an object that was recorded under another address is the one at this address.
 * @param object What the service has; undefined if it has none, or does not show it.
 * @throws {ConfigurationError} if it is not.
 */
export function assertSameService({ run }: Target, state: State, object: JsonObject | undefined): void {
  const { baseUrl } = run.settings;
  const recorded = state.notes?.baseUrl;
  if (!isElsewhere({ run }, state)) return;
  if (object === undefined || isSameTime(state.createdAt, object.created_at) !== true) {
    throw new ConfigurationError(
      `it belongs to the service at "${recorded}", but baseUrl is "${baseUrl}", which does not show that object: set baseUrl ` +
        'back, or use a token that may read it; or, if it is not needed there any more, run "pulumi state delete <its ' +
        'URN>", and "pulumi up" creates what the program declares',
    );
  }
  run.noteOnce(
    `the service has moved from "${recorded}" to "${baseUrl}": what it has there was created at the recorded times ` +
      '("pulumi up" and then "pulumi refresh" record the new address)',
  );
}
