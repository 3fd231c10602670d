import { addressOf } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import type { Kind } from "../../provider/schema/kind";
import { declaredPart } from "../../provider/values/declared";
import type { JsonObject } from "../../provider/wire/json";
import type { Output } from "../output/output";
import { type Change, type StackPreview, withFailure } from "../preview/stackPreview";
import { masked } from "../../sdk/engine/preview";
import { startRunOf } from "../pulumi/service";
import { readKinds } from "../program/read";

/** The objects in a service, as a preview in which nothing changes. What can't be read is a failure. */
export async function livePreview(stack: string | undefined, output: Output): Promise<StackPreview> {
  const run = await startRunOf(stack === undefined ? undefined : { folder: ".", stack }, output);
  const service = addressOf(new URL(run.settings.baseUrl));
  const read = await readKinds(run, kinds, {}, output);
  const changes = read.flatMap(({ objects }) => objects.map(({ kind, args }) => unchanged(kind, args, service)));
  const preview: StackPreview = { stack: service, changes, others: [], messages: [], isFailed: false };
  return read.flatMap(({ gap }) => gap ?? []).reduce(withFailure, preview);
}

function unchanged(kind: Kind, live: JsonObject, service: string): Change {
  const args = declaredPart(kind.root, live, () => masked) as JsonObject; // An object stays one.
  const slug = kind.slugOf(live);
  const object = { kind: kind.name, slug, service, provider: "" };
  return {
    urn: `${kind.name}/${slug}`,
    kind,
    name: slug,
    slug,
    objects: { old: object, new: object },
    op: "same",
    before: args,
    after: args,
    drift: undefined,
    ignored: [],
    changedSecrets: [],
    unsureSecrets: [],
    unknowns: [],
    isRetained: false,
    isDeletedFirst: false,
    isOnlyRead: false,
  };
}
