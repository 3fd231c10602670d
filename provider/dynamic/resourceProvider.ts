import type { dynamic } from "@pulumi/pulumi";
import { check } from "../lifecycle/verbs/check";
import { create } from "../lifecycle/verbs/create";
import { remove } from "../lifecycle/verbs/delete";
import { diff } from "../lifecycle/verbs/diff";
import { cutFailures } from "../lifecycle/notes/explain";
import { read } from "../lifecycle/verbs/read";
import { recordIn } from "../lifecycle/objects/record";
import type { Session } from "../lifecycle/session";
import { update } from "../lifecycle/verbs/update";
import { contextOf, marksOf } from "../protocol";
import type { Kind } from "../schema/kind";
import type { Path } from "../schema/walk";
import { withMarkAt, withSecretsMarked } from "../values/secrets";
import type { JsonObject } from "../wire/json";
import { kindOfProviderText } from "./providerText";

/** The update would replace the record, and leave its object in the service without an owner. */
const otherKind = (recorded: string, declared: string) =>
  `an alias of this resource names a ${recorded}, which can't become a ${declared}. Remove the alias: the update then ` +
  `deletes the ${recorded} and creates the ${declared}`;

/**
 * The properties with all secrets marked. The class marks them, but an argument that a transformation adds is in plain
 * text, so they are marked here too. A transform in an inline program loses the class's marks. The SDK cannot read a mark
 * inside of another one, so none is set inside of what the class marks as a whole.
 */
export const withSecretMarks = (kind: Kind, properties: JsonObject, marks: readonly Path[] = []) =>
  withSecretsMarked(kind.root, marks.reduce<unknown>(withMarkAt, properties)) as Record<string, unknown>; // still an object

/** The lifecycle of one kind in the form that Pulumi's dynamic-provider host calls. */
export function resourceProviderOf(
  kind: Kind,
  currentSession: () => Session,
): Required<Omit<dynamic.ResourceProvider, "configure">> {
  const during = <T>(call: (session: Session) => Promise<T>): Promise<T> => {
    const session = currentSession();
    return session.during(() => call(session));
  };
  const withMarksOf = (recorded: JsonObject, properties = recorded) =>
    withSecretMarks(kind, properties, marksOf(recordIn(recorded)));
  return {
    check: (olds: JsonObject, news: JsonObject) =>
      during(async (session) => {
        const { inputs, failures } = await check(session, kind, olds, news);
        // The reason names the path: with `property` the engine would print the value, even if it is secret.
        return {
          inputs: withSecretMarks(kind, inputs, marksOf(contextOf(news))),
          failures: cutFailures(failures).map((reason) => ({ property: "", reason })),
        };
      }),
    diff: (id: string, olds: JsonObject, news: JsonObject) =>
      during(async (session) => {
        const recordedKind = kindOfProviderText(olds.__provider) ?? kind.name;
        if (recordedKind !== kind.name) throw new Error(otherKind(recordedKind, kind.name));
        const { changes, replaces, isNameable } = await diff(session, kind, id, olds, news);
        // An option may force a replacement under the same slug, which has room for one object only: delete first.
        const deleteBeforeReplace = replaces.length === 0;
        if (!changes) return { changes: false, deleteBeforeReplace };
        // Without `changes` the engine compares the inputs itself and shows nested differences; with it, it shows none.
        return { ...(isNameable ? {} : { changes: true }), replaces: [...replaces], deleteBeforeReplace };
      }),
    create: (inputs: JsonObject) =>
      during(async (session) => {
        const { id, outputs } = await create(session, kind, inputs);
        return { id, outs: withMarksOf(outputs) };
      }),
    update: (_id: string, olds: JsonObject, news: JsonObject) =>
      during(async (session) => {
        const outputs = await update(session, kind, olds, news);
        return { outs: withMarksOf(outputs) };
      }),
    read: (id: string, props: JsonObject) =>
      during(async (session) => {
        const found = await read(session, kind, id, props);
        // For the host, an answer without an id means that the object does not exist.
        if (found === undefined) return {};
        const { outputs, inputs } = found;
        return {
          id,
          props: withMarksOf(outputs),
          ...(inputs === undefined ? {} : { inputs: withMarksOf(outputs, inputs) }),
        };
      }),
    delete: (id: string, props: JsonObject) => during((session) => remove(session, kind, id, props)),
  };
}
