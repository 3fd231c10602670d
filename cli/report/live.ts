import { addressOf } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import { typePrefixes } from "../../provider/protocol";
import { namespace } from "../../provider/schema/names";
import { declaredPart } from "../../provider/values/declared";
import type { JsonObject } from "../../provider/wire/json";
import { masked } from "../../sdk/engine/preview";
import type { Output } from "../output/output";
import { type StackPreview, stackPreviewOf, withFailure } from "../preview/stackPreview";
import { readKinds } from "../program/read";
import { startRunOf } from "../pulumi/service";

/** The objects in a service, as a preview in which nothing changes. What can't be read is a failure. */
export async function livePreview(stack: string | undefined, output: Output): Promise<StackPreview> {
  const run = await startRunOf(stack === undefined ? undefined : { folder: ".", stack }, output);
  const service = addressOf(new URL(run.settings.baseUrl));
  const read = await readKinds(run, kinds, {}, output);
  const steps = read.flatMap(({ objects }) =>
    objects.map(({ kind, args }) => {
      const inputs = declaredPart(kind.root, args, () => masked) as JsonObject; // An object stays one.
      const urn = `urn:pulumi:::::${typePrefixes.dynamic}${kind.name}::${kind.slugOf(args)}`;
      return { op: "same", urn, provider: "::::::default::", oldState: { inputs }, newState: { inputs } };
    }),
  );
  const config = { [`${namespace}:baseUrl`]: service };
  const preview = { ...stackPreviewOf({ config, steps, diagnostics: [] }, service), stack: service };
  return read.flatMap(({ gap }) => gap ?? []).reduce(withFailure, preview);
}
