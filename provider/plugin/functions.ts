import { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { InvokeRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { kinds } from "../kinds/index.gen";
import { showMany, showOne } from "../lifecycle/verbs/functions";
import type { Kind } from "../schema/kind";
import { withSecretsMarked } from "../values/secrets";
import { items, type JsonObject } from "../wire/json";
import type { Host } from "./host";
import { received, sent } from "./values";

/** Answers `getMonitor` and `getMonitors`, for each kind. */
export async function invoke({ run }: Host, request: InvokeRequest): Promise<InvokeResponse> {
  const name = request.getTok().split(":").at(-1) ?? "";
  const kind = kinds.find(({ functionNames }) => functionNames.includes(name));
  if (kind === undefined) throw new Error(`this version of pulumi-observability has no function "${request.getTok()}"`);
  const { slug, ...filters } = received(request.getArgs()).properties;
  const { manyName } = kind;
  const answer = await run.during(async () => {
    if (name === kind.functionNames[0])
      return markedObject(kind, (await showOne(run, kind.name, slug as string)).value);
    const { value } = await showMany(run, kind.name, manyName ?? "", filters);
    return { [manyName ?? ""]: items(value[manyName ?? ""]).map((each) => markedObject(kind, each)) };
  });
  return new InvokeResponse().setReturn(sent(answer));
}

const markedObject = (kind: Kind, value: unknown) => withSecretsMarked(kind.root, value) as JsonObject; // still an object
