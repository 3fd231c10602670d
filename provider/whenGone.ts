import { connect } from "node:net";

/**
 * Calls back once nobody listens at an address any more, for a process that has no other sign of the other's end: its
 * parent is a shell. Keeps a connection open, whose end the system tells at once. Does nothing if nobody has listened.
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
