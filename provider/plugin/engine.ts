import type { ServiceError } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { AsyncLocalStorage } from "node:async_hooks";
import type { Note } from "../lifecycle/session";
import { grpc } from "./packages";

/** The longest wait until the engine has a message. */
const longestMs = 10_000;

/** The engine, which shows messages under the resource that they are about. */
export class Engine {
  /** `127.0.0.1:41234`; anything else without an engine. */
  address = process.argv.at(-1) ?? "";
  readonly #urn = new AsyncLocalStorage<string>();
  readonly #sending = new Set<Promise<void>>();
  #client: EngineClient | undefined;

  /** Runs a call about a resource. It ends when the engine has taken each message of this process, or can't. */
  async during<T>(urn: string, call: () => Promise<T>): Promise<T> {
    try {
      return await this.#urn.run(urn, call);
    } finally {
      await Promise.all(this.#sending);
    }
  }

  /** Runs what is about no resource, even if a call is the first that needs it. */
  outsideCalls<T>(start: () => T): T {
    return this.#urn.exit(start);
  }

  readonly note: Note = (text, severity) => {
    this.#log(text, severity === undefined ? LogSeverity.INFO : LogSeverity.WARNING);
  };

  error(text: string): void {
    this.#log(text, LogSeverity.ERROR);
  }

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
