import { connect } from "node:net";

const retryMs = 100;

/**
 * Calls back once no process listens at an address any more, for a process that cannot notice the other's end otherwise
 * because its parent is a shell. Keeps a connection open, whose end the system reports at once.
 * @param address `127.0.0.1:41234`; nothing is watched if it is none.
 */
export function whenGone(address: string, report: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined || port === undefined) return;
  const watch = () => {
    let isGone = false;
    connect({ host, port: Number(port) })
      // Any other error is this machine's, such as too many open files.
      .on("error", (error: NodeJS.ErrnoException) => (isGone = error.code === "ECONNREFUSED"))
      // A server may close a silent connection: then it takes the next one.
      .on("close", () => (isGone ? report() : setTimeout(watch, retryMs).unref()))
      .resume()
      .unref();
  };
  watch();
}
