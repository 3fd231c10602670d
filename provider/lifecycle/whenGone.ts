import { connect } from "node:net";

/**
 * Calls back once no process listens at an address any more, for a process that cannot notice the other's end otherwise
 * because its parent is a shell. Keeps a connection open, whose end the system reports at once. Does nothing if no process
 * listens at the start.
 * @param address `127.0.0.1:41234`.
 */
export function whenGone(address: string, report: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined || port === undefined) return;
  const watch = (onRefusal: () => void) => {
    let isOpen = false;
    connect({ host, port: Number(port) })
      .on("connect", () => (isOpen = true))
      .on("error", () => undefined) // "close" follows.
      // A server may close a silent connection: then it takes the next one.
      .on("close", () => (isOpen ? watch(report) : onRefusal()))
      .resume()
      .unref();
  };
  watch(() => undefined);
}
