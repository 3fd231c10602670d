import type { z } from "zod";
import { inert, objectOf } from "./keys";
import { mapping } from "./scalars";
import { type SourceNode, Rejection } from "./sourceNode";

// Tables of keys: https://github.com/OpenSLO/OpenSLO#specification

/** A document of which only the `spec` is read. */
export const documentOf = <T extends z.core.$ZodLooseShape>(spec: T) =>
  objectOf(mapping({ description: inert, ...spec }), { displayName: inert });

export const openSloKind = (node: SourceNode) => node.at("kind").text ?? "";
const nameOf = (node: SourceNode) => node.at("metadata", "name").text ?? "";

/** The documents that an SLO can refer to. */
export class Objects {
  readonly #used = new Set<SourceNode>();

  constructor(private readonly nodes: readonly SourceNode[]) {}

  get(kind: string, name: string, at: SourceNode): SourceNode {
    const found = this.find(kind, name);
    if (found === undefined) throw new Rejection(at, `no document contains the ${kind} ${JSON.stringify(name)}`);
    return found;
  }

  find(kind: string, name: string): SourceNode | undefined {
    const found = this.nodes.find((node) => openSloKind(node) === kind && nameOf(node) === name);
    if (found !== undefined) this.#used.add(found);
    return found;
  }

  /** Why a document is not converted; undefined for an SLO, and for the objects that an SLO refers to. */
  reasonAgainst(node: SourceNode): string | undefined {
    const kind = openSloKind(node);
    if (kind === "SLO" || this.#used.has(node)) return undefined;
    const named = `the ${kind} ${JSON.stringify(nameOf(node))}`;
    if (kind === "Service") return `${named} has no counterpart; its SLOs carry its name as the label "service"`;
    if (kind === "DataSource") return `${named} has no counterpart: the service queries its own data`;
    if (kind === "AlertNotificationTarget") return `${named} has no address, so it can't become a notifier`;
    if (["SLI", "AlertPolicy", "AlertCondition"].includes(kind)) return `no converted SLO refers to ${named}`;
    return `the kind ${JSON.stringify(kind)} is not one of OpenSLO v1`;
  }
}

/** The object that a reference names, or the inline object. */
export function resolved(node: SourceNode, key: string, kind: string, objects: Objects): SourceNode {
  const name = node.at(key).text;
  return name === undefined ? node : objects.get(kind, name, node);
}
