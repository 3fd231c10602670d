import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError, StartError } from "./errors.js";

// In bytes. A list request with a thousand ordinary slugs must fit into a URL; Node's default is 16 KiB.
const headerLimit = 131_072;
// Longer than clients keep idle connections, so that the client closes them and no request meets a closed one.
const keepAliveMs = 75_000;
const drainMs = 10_000;
// Connections that wait while a request is answered. A thousand clients may come at once; Node's default is 511.
const backlog = 4_096;

/** A server that answers in the routes' form even if Node rejects the request. */
export function httpServer(): Server {
  return createServer({
    maxHeaderSize: headerLimit,
    keepAliveTimeout: keepAliveMs,
    // `getRequestListener` rejects a request without a host; Node would do so without a body.
    requireHostHeader: false,
  }).on("clientError", answerBroken);
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
  if (code === "EADDRINUSE") return `${what}: the port is in use; choose another one with --port`;
  if (code === "EACCES") return `${what}: this user has no permission; choose a port above 1023 with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${what}: this machine has no such address; choose another one with --host`;
  return `${what}: ${message}`;
}

/** Finishes running requests, closes idle connections and, after 10 s, all others. */
export function drain(server: Server): Promise<void> {
  return new Promise((done) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(giveUp);
      done();
    });
  });
}

/** The answer to a request that the HTTP library does not understand. */
export function notUnderstood(why: string): ApiError {
  return new ApiError("invalid", `the request is not valid HTTP: ${why}`);
}

/** Node.js would answer without a body. */
function answerBroken(error: NodeJS.ErrnoException & { reason?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const { status, body } = brokenBy(error);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} Refused`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  socket.end([...head, "", text].join("\r\n"));
}

function brokenBy({ code, message, reason = message }: NodeJS.ErrnoException & { reason?: string }): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError("headersTooLarge", `the URL and headers have more than ${headerLimit} bytes`);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ApiError("timedOut", "the request did not arrive in time");
  return notUnderstood(reason);
}

/** The host for a URL: loopback if the service listens on all addresses; an IPv6 address in brackets. */
export function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
