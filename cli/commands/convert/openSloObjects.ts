import type { z } from "zod";
import { inert, objectOf } from "./keys";
import { mapping } from "../../source/scalars";
import { type SourceNode, Rejection } from "../../source/sourceNode";

// Tables of keys: https://github.com/OpenSLO/OpenSLO#specification

/** A document of which only the `spec` is read. */
export const documentOf = <T extends z.core.$ZodLooseShape>(spec: T) =>
  objectOf(mapping({ description: inert, ...spec }), { displayName: inert });

export const openSloKind = (node: SourceNode) => node.at("kind").text ?? "";
const nameOf = (node: SourceNode) => node.at("metadata", "name").text ?? "";

const isNamed = (node: SourceNode, kind: string, name: string) => openSloKind(node) === kind && nameOf(node) === name;
/** Whether a document has no effect if no SLO refers to it. */
export const isHarmless = (node: SourceNode) => openSloKind(node) === "Service" || isOfAlerts(node);
const isOfAlerts = (node: SourceNode) => ["AlertPolicy", "AlertCondition"].includes(openSloKind(node));

/** The documents that an SLO can refer to. */
export class Objects {
  readonly #used = new Set<SourceNode>();

  constructor(private readonly nodes: readonly SourceNode[]) {}

  get(kind: string, name: string, at: SourceNode): SourceNode {
    const named = `the ${kind} ${JSON.stringify(name)}`;
    const found = this.find(kind, name);
    if (found === undefined) throw new Rejection(at, `no document contains ${named}`);
    const isOther = ({ value }: SourceNode) => JSON.stringify(value) !== JSON.stringify(found.value);
    if (this.#alike(found).some(isOther)) throw new Rejection(at, `${named} is defined twice`);
    return found;
  }

  find(kind: string, name: string): SourceNode | undefined {
    const found = this.nodes.find((node) => isNamed(node, kind, name));
    if (found !== undefined) this.#used.add(found);
    return found;
  }

  /** Why a document is not converted; undefined for an SLO, and for the objects that an SLO refers to. */
  reasonAgainst(node: SourceNode): string | undefined {
    const kind = openSloKind(node);
    const named = `the ${kind} ${JSON.stringify(nameOf(node))}`;
    if (kind === "SLO" || this.#used.has(node)) return undefined;
    if (kind === "Service") return `${named} has no counterpart; its SLOs carry its name as the label "service"`;
    if (kind === "DataSource") return `${named} has no counterpart: the service queries its own data`;
    if (kind === "AlertNotificationTarget") return `${named} has no address, so it can't become a notifier`;
    if (this.#alike(node).length > 0) return `${named} is defined twice`;
    if (kind === "SLI" || isOfAlerts(node)) return `no converted SLO refers to ${named}`;
    return `the kind ${JSON.stringify(kind)} is not one of OpenSLO v1`;
  }

  #alike(node: SourceNode): readonly SourceNode[] {
    return this.nodes.filter((each) => each !== node && isNamed(each, openSloKind(node), nameOf(node)));
  }
}

/** The object that a reference names, or the inline object. */
export function resolved(node: SourceNode, key: string, kind: string, objects: Objects): SourceNode {
  const name = node.at(key).text;
  return name === undefined ? node : objects.get(kind, name, node);
}
