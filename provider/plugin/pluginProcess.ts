import type { ServiceError } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { AsyncLocalStorage } from "node:async_hooks";
import type { SettingTexts } from "../client/settingTexts";
import { sessionOfProcess } from "../lifecycle/providerProcess";
import { cutFailures, failuresText } from "../lifecycle/notes/explain";
import type { Note, Session } from "../lifecycle/session";
import type { Path } from "../schema/walk";
import { activity } from "./activity";
import { grpc } from "./packages";

/** The longest wait until the engine has a message. */
const longestMs = 10_000;

/** The process of one provider: its settings, and the engine, which shows messages under the resource that they are about. */
export class PluginProcess {
  /** The engine's: `127.0.0.1:41234`; anything else without an engine. */
  address = process.argv.at(-1) ?? "";
  /** The marked settings, and the marked entries of settings that are maps. */
  secretSettings: readonly Path[] = [];
  #configured: SettingTexts = () => undefined;
  #hasFailed = false;
  readonly #urn = new AsyncLocalStorage<string>();
  readonly #sending = new Set<Promise<void>>();
  #client: EngineClient | undefined;

  configure(texts: SettingTexts, secrets: readonly Path[]): void {
    this.#configured = texts;
    this.secretSettings = secrets;
  }

  get session(): Session {
    // What the session notes later is about no resource, even if a call is the first that needs it.
    return this.#urn.exit(() => sessionOfProcess(this.#configured, this.address, this.note));
  }

  /** Runs a call about a resource. It ends when the engine has taken each message of this process, or can't. */
  async during<T>(urn: string, call: () => Promise<T>): Promise<T> {
    activity.begin();
    try {
      return await this.#urn.run(urn, call);
    } finally {
      await Promise.all(this.#sending);
      activity.end();
    }
  }

  /**
   * Rejects a declaration in a preview. The engine makes no further call after a failed one, and would show only the first
   * mistakes. So the first failure waits until no process is called any more, and the others are logged as errors.
   */
  async reject(reasons: readonly string[]): Promise<void> {
    if (this.#hasFailed) {
      for (const reason of cutFailures(reasons)) this.#log(reason, LogSeverity.ERROR);
      return;
    }
    this.#hasFailed = true;
    await activity.quiet();
    throw new Error(failuresText(reasons));
  }

  readonly note: Note = (text, severity) => {
    this.#log(text, severity === undefined ? LogSeverity.INFO : LogSeverity.WARNING);
  };

  #log(text: string, severity: 0 | 1 | 2 | 3): void {
    this.#client ??= new EngineClient(this.address, grpc.credentials.createInsecure(), {
      // The engine is on this machine, which a proxy can't reach.
      "grpc.enable_http_proxy": 0,
    });
    const client = this.#client;
    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(text)
      .setUrn(this.#urn.getStore() ?? "");
    const sending = new Promise<void>((resolve) => {
      const call = client.log(request, (error: ServiceError | null) => {
        clearTimeout(timer);
        // Nobody listens any more, or not now: a write that is done is not held up by a message about it.
        if (error !== null) console.error(text);
        resolve();
      });
      const timer = setTimeout(() => call.cancel(), longestMs);
    });
    this.#sending.add(sending);
    void sending.then(() => this.#sending.delete(sending));
  }
}
