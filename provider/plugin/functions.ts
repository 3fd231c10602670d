import { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { InvokeRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { withSecretMarks } from "../dynamic/resourceProvider";
import { kinds } from "../kinds/index.gen";
import { objectKey } from "../lifecycle/objects/claims";
import { showMany, showOne } from "../lifecycle/verbs/functions";
import { items, type JsonObject } from "../wire/json";
import type { PluginProcess } from "./pluginProcess";
import { received, sent } from "./values";

/** Answers `getMonitor` and `getMonitors`, for each kind. */
export async function invoke({ session }: PluginProcess, request: InvokeRequest): Promise<InvokeResponse> {
  const name = request.getTok().split(":").at(-1) ?? "";
  const kind = kinds.find(({ functionNames }) => functionNames.includes(name));
  if (kind === undefined) throw new Error(`this version of pulumi-observability has no function "${request.getTok()}"`);
  const { slug, ...filters } = received(request.getArgs()).properties;
  const { manyName } = kind;
  const marked = (object: JsonObject) =>
    withSecretMarks(kind, object, session.claims.declaredMarks(objectKey(kind.name, kind.slugOf(object))));
  const answer = await session.during(async () => {
    if (name === kind.functionNames[0]) return marked((await showOne(session, kind.name, slug as string)).value);
    const { value } = await showMany(session, kind.name, manyName ?? "", filters);
    return { [manyName ?? ""]: items(value[manyName ?? ""]).map((each) => marked(each as JsonObject)) };
  });
  return new InvokeResponse().setReturn(sent(answer));
}
