import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError, StartError } from "./errors.js";

// In bytes. A list request with a thousand ordinary slugs must fit into a URL; Node's default is 16 KiB.
const headerLimit = 131_072;
// Longer than clients keep idle connections, so that the client closes them and no request meets a closed one.
const keepAliveMs = 75_000;
const drainMs = 10_000;
// Connections that wait while a request is answered. A thousand clients may come at once; Node's default is 511.
const backlog = 4_096;

/** A server that answers in the routes' form what Node refuses before it reaches them. */
export function httpServer(
  timeouts: Pick<ServerOptions, "headersTimeout" | "connectionsCheckingInterval"> = {},
): Server {
  return createServer({
    maxHeaderSize: headerLimit,
    keepAliveTimeout: keepAliveMs,
    // `getRequestListener` refuses a request without a host; Node would do so without a body.
    requireHostHeader: false,
    ...timeouts,
  })
    .on("clientError", refuseBroken)
    .on("connect", refuseConnect)
    .on("checkExpectation", refuseExpectation);
}

/** Listens and returns the port. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => fail(new StartError(whyNotListening(error, host, port))));
    server.listen(port, host, backlog, () => done((server.address() as AddressInfo).port)); // the address of a TCP server
  });
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const what = `unable to listen on ${host} port ${port}`;
  if (code === "EADDRINUSE") return `${what}: it is in use; choose another with --port`;
  if (code === "EACCES") return `${what}: this user may not; choose a port above 1023 with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${what}: this machine has no such address; choose another with --host`;
  return `${what}: ${message}`;
}

/**
 * Accepts the connections that wait, and refuses further ones. Closes busy ones after their answer, and idle ones when no
 * request has come for `quietMs`; all at the latest after 10 s. A connection that is closed while a request is on its way to it would be reset.
 */
export function drain(server: Server, quietMs: number): Promise<void> {
  return new Promise((done) => {
    const closeIdle = setTimeout(() => {
      // What arrived while the loop was busy is read first.
      setImmediate(() => server.closeIdleConnections());
      closeIdle.refresh();
    }, quietMs);
    server.on("request", () => closeIdle.refresh());
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMs);
    stopListening(server, () => {
      clearTimeout(closeIdle);
      clearTimeout(giveUp);
      server.close(); // Ends its timer, too.
      done();
    });
  });
}

/** Node.js accepts one connection in each turn of its loop. Those that still wait when it stops to listen are reset. */
function stopListening(server: Server, done: () => void): void {
  let someWait = true;
  server.on("connection", () => (someWait = true));
  const look = () => {
    // The HTTP server's own `close` would close idle connections now.
    if (!someWait) return void NetServer.prototype.close.call(server, done);
    someWait = false;
    setImmediate(look);
  };
  setImmediate(look);
}

/** The answer to a request that the HTTP library does not understand. */
export function notUnderstood(why: string): ApiError {
  return new ApiError("invalid", `the request is not HTTP as it should be: ${why}`);
}

function refuseBroken(error: NodeJS.ErrnoException & { reason?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  answer(socket, brokenBy(error));
}

/** Node.js would close the connection without an answer, and leaves its errors and its end to whoever listens. */
function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  answer(socket, new ApiError("invalid", "the method CONNECT is not served")).on("finish", () => socket.destroy());
}

function answer(socket: Duplex, { status, body }: ApiError): Duplex {
  const head = Object.entries(headersOf(JSON.stringify(body))).map(([name, value]) => `${name}: ${value}`);
  return socket.end([`HTTP/1.1 ${status} Refused`, ...head, "", JSON.stringify(body)].join("\r\n"));
}

function headersOf(text: string) {
  return {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    Date: new Date().toUTCString(),
    Connection: "close",
  };
}

function brokenBy({ code, message, reason = message }: NodeJS.ErrnoException & { reason?: string }): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError("headersTooLarge", `the address and headers have more than ${headerLimit} bytes`);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ApiError("timedOut", "the request did not arrive in time");
  return notUnderstood(reason);
}

function refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const { status, body } = new ApiError("expectationFailed", `"Expect: ${headers.expect}" is not supported`);
  response.writeHead(status, headersOf(JSON.stringify(body))).end(JSON.stringify(body));
}

/** The host for a URL: loopback if the service listens on all addresses; an IPv6 address in brackets. */
export function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
