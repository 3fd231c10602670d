import { kinds } from "../../../provider/kinds/index.gen";
import type { Kind } from "../../../provider/schema/kind";
import { isObject } from "../../../provider/wire/json";
import { type ConversionBuilder, eachAlone, type SourceFormat } from "./conversionBuilder";
import { inertKeys } from "./keys";
import { anything, mapping } from "../../source/scalars";
import { SchemaReader } from "./schemaReader";
import { Rejection, type SourceNode } from "../../source/sourceNode";

/** This service's own manifests: a kind, and under `spec` an object in the spelling of the wire. */
export const manifest: SourceFormat = {
  recognizes: (node) => kindOf(node) !== undefined && node.at("spec").exists && !isOfKubernetes(node),
  convert: eachAlone(convertManifest),
};

/** Kubernetes' own kinds have a group with a slash before the version, and a domain in it. */
const isOfKubernetes = (node: SourceNode) => /^[\w-]+(\.[\w-]+)+\//.test(node.at("apiVersion").text ?? "");

const kindOf = (node: SourceNode): Kind | undefined => {
  const named = node.at("kind").text;
  return kinds.find(({ name, wire }) => name === named || wire.one === named);
};

const header = mapping({ kind: anything, spec: anything, ...inertKeys("api_version", "apiVersion") });
/** Fields that the service itself fills in. */
const filledIn = ["created_at", "updated_at"];

function convertManifest(node: SourceNode, builder: ConversionBuilder): void {
  const kind = kindOf(node);
  if (kind === undefined) return; // Then it was not recognized.
  const spec = node.at("spec");
  if (!isObject(spec.value)) throw new Rejection(spec, "`spec` is not a map");
  builder.read(node, header);
  const called = spec.at("slug").text ?? spec.at("name").text;
  if (called === undefined && !kind.isSingleton) throw new Rejection(spec, "it has neither `slug` nor `name`");
  const original = called ?? kind.singletonId;
  const args = new SchemaReader(builder).object(kind.root, spec, filledIn);
  builder.add({ kind, at: node, original, args });
}
