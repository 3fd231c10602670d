import { type Part, Refusal } from "./part";

export const kindOf = (part: Part) => part.at("kind").text ?? "";
const nameOf = (part: Part) => part.at("metadata", "name").text ?? "";

/** The documents that an SLO can refer to. */
export class Objects {
  readonly #used = new Set<Part>();

  constructor(private readonly parts: readonly Part[]) {}

  /** The document of a kind and name. */
  get(kind: string, name: string, at: Part): Part {
    const found = this.find(kind, name);
    if (found === undefined) throw new Refusal(at, `no document is the ${kind} ${JSON.stringify(name)}`);
    return found;
  }

  find(kind: string, name: string): Part | undefined {
    const found = this.parts.find((part) => kindOf(part) === kind && nameOf(part) === name);
    if (found !== undefined) this.#used.add(found);
    return found;
  }

  /** Why a document gives nothing of its own; nothing to say of an SLO, and of what an SLO refers to. */
  reasonAgainst(part: Part): string | undefined {
    const kind = kindOf(part);
    if (kind === "SLO" || this.#used.has(part)) return undefined;
    const named = `the ${kind} ${JSON.stringify(nameOf(part))}`;
    if (kind === "Service") return `${named} has no counterpart; its SLOs carry its name as the label "service"`;
    if (kind === "DataSource") return `${named} has no counterpart: the service queries its own data`;
    if (kind === "AlertNotificationTarget") return `${named} has no address, so it makes no notifier`;
    if (["SLI", "AlertPolicy", "AlertCondition"].includes(kind)) return `no SLO that was converted refers to ${named}`;
    return `the kind ${JSON.stringify(kind)} is not one of OpenSLO v1`;
  }
}

/** What a reference names, or what is written in its place. */
export function resolved(part: Part, key: string, kind: string, objects: Objects): Part {
  const name = part.at(key).text;
  return name === undefined ? part : objects.get(kind, name, part);
}
