import { resourceProviderOf } from "../../dist/provider/dynamic/resourceProvider.js";
import type { Settings } from "../../dist/provider/client/settings.js";
import type { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { Session } from "../../dist/provider/lifecycle/session.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Json } from "../property/equivalence.js";
import { plain } from "../support/plain.js";
import { markedAs, shownIn } from "./secrets.js";
import type { Recorded } from "./state.js";

/** What the engine hears where the provider process ends before it answers. */
export class ProcessEnded extends Error {
  constructor() {
    super("the provider process has ended");
  }
}

/** Stands for the text that a real state contains. */
const provider = "the provider's text";

/**
 * One provider process, as the engine starts one for each operation: it knows nothing of earlier ones, shares no value
 * with the engine, and can end at any moment.
 */
export class ProviderProcess {
  /** What it told the user beside errors. */
  readonly notes: string[] = [];
  /** Secrets in its answers that the engine would not take for such. */
  readonly shownSecrets: string[] = [];
  readonly #run: Session;
  #hasEnded = false;

  constructor(
    settings: Settings,
    private readonly claims: Claims,
  ) {
    this.#run = new Session(settings, (text) => this.notes.push(text), claims);
  }

  /** Sends nothing more, and no one hears of what was in progress. Its file in the shared folder stays until the operation ends. */
  kill(): void {
    this.#hasEnded = true;
    void this.#run.interrupt();
  }

  /** Resolves when nothing is in progress any more. */
  async stop(): Promise<void> {
    await this.#run.interrupt();
    this.claims.close();
  }

  async check(kind: Kind, olds: Json, news: Json): Promise<{ inputs: Json; failures: readonly string[] }> {
    // As the engine does: a new resource has no old inputs at all, not even the provider's text.
    const answer = await this.#call(() => this.#of(kind).check(sent(olds), sent({ ...news, __provider: provider })));
    return {
      inputs: { ...markedAs(news, answer.inputs), __provider: provider },
      failures: (answer.failures ?? []).map(({ reason }: { reason: string }) => reason),
    };
  }

  async diff(kind: Kind, id: string, outputs: Json, inputs: Json): Promise<Json> {
    return this.#call(() => this.#of(kind).diff(id, sent(outputs), sent(inputs)));
  }

  async create(kind: Kind, inputs: Json): Promise<{ id: string; outputs: Json }> {
    const { id, outs } = await this.#call(() => this.#of(kind).create(sent(inputs)));
    return { id, outputs: { ...plain<Json>(outs), __provider: provider } };
  }

  async update(kind: Kind, id: string, outputs: Json, inputs: Json): Promise<Json> {
    const { outs } = await this.#call(() => this.#of(kind).update(id, sent(outputs), sent(inputs)));
    return { ...plain<Json>(outs), __provider: provider };
  }

  /** Nothing where the object no longer exists; no inputs where they stay as they are. */
  async read({
    kind,
    id,
    ...old
  }: Pick<Recorded, "kind" | "id" | "inputs" | "outputs">): Promise<{ outputs: Json; inputs?: Json } | undefined> {
    const { id: found = "", props, inputs } = await this.#call(() => this.#of(kind).read(id, sent(old.outputs)));
    if (found === "") return undefined;
    return {
      outputs: { ...plain<Json>(props), __provider: provider },
      ...(inputs === undefined ? {} : { inputs: { ...markedAs(old.inputs, inputs), __provider: provider } }),
    };
  }

  async delete(kind: Kind, id: string, outputs: Json): Promise<void> {
    await this.#call(() => this.#of(kind).delete(id, sent(outputs)));
  }

  #of = (kind: Kind) => resourceProviderOf(kind, () => this.#run);

  async #call(call: () => Promise<unknown>): Promise<any> {
    if (this.#hasEnded) throw new ProcessEnded();
    const answer = await call().catch((error: unknown) => {
      throw this.#hasEnded ? new ProcessEnded() : error;
    });
    if (this.#hasEnded) throw new ProcessEnded();
    if (answer === undefined) return undefined;
    this.shownSecrets.push(...shownIn(answer));
    return copy(answer);
  }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T; // What comes back is what went in.
/** The engine takes the marks of secrets off. */
const sent = (properties: Json): Json => plain(copy(properties));
