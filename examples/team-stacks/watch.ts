import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation";

/** How many resources each thing happened to, or would; a replacement is one created and one deleted. */
export interface Counts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly same: number;
}

/** What the engine's steps are to a reader; steps that it makes for itself are not listed. */
const meanings: Partial<Record<OpType, keyof Counts>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
  same: "same",
};

/** Follows one operation on one stack. */
export class Watch {
  readonly #say: (line: string) => void;
  readonly #counts = { create: 0, update: 0, delete: 0, same: 0 };
  readonly #errors: string[] = [];

  /** @param say is told of every resource that changes and every error. */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** What went wrong, in one line; nothing where the engine named no error. */
  get reason(): string | undefined {
    const [first, ...more] = this.#errors;
    return first === undefined || more.length === 0 ? first : `${first} (and ${more.length} more)`;
  }

  /** Debug events are passed over: the SDK writes secrets into them. */
  see({ resOutputsEvent, diagnosticEvent }: EngineEvent): void {
    if (resOutputsEvent !== undefined) this.#count(resOutputsEvent.metadata);
    if (diagnosticEvent?.severity === "error") this.fail(diagnosticEvent.message, diagnosticEvent.urn);
  }

  fail(message: string, urn?: string): void {
    const words = oneLine(message.replace(/^(?:\S+ resource '[^']*' has a problem|Unhandled exception: Error): /, ""));
    const error = urn === undefined ? words : `${labelOf(urn)}: ${words}`;
    // What a program throws is told more than once.
    if (this.#errors.some((known) => error.endsWith(known))) return;
    this.#errors.push(error);
    this.#say(error);
  }

  #count({ op, type, urn }: StepEventMetadata): void {
    const meaning = meanings[op];
    // Stacks and providers are resources to the engine, not to a reader.
    if (meaning === undefined || type.startsWith("pulumi:")) return;
    this.#counts[meaning]++;
    if (meaning !== "same") this.#say(`${meaning} ${labelOf(urn)}`);
  }
}

/** What an error says, in one line: without the command that failed and all that it printed before. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return oneLine(/^\s*error: (.+)/m.exec(message)?.[1] ?? message);
}

/** Without stack lines, and on one line. */
const oneLine = (text: string) =>
  text
    .replace(/\n\s+at .*/g, "")
    .trim()
    .replace(/\s+/g, " ");

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` → `Monitor "errors"` */
function labelOf(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return `${types.split(/[:$]/).at(-1)} "${name.join("::")}"`;
}
