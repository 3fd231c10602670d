import type { Socket } from "node:net";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { ConfigurationError } from "./errors";
import { isLoopback, type Settings } from "./settings";

/** A page of 1,000 large objects fits. A configuration service sends nothing larger. */
export const longestAnswerBytes = 256 * 1024 * 1024;
/** The time limit for a connection, with a proxy's tunnel and TLS: a preview should not wait longer. */
export const longestConnectMs = 10_000;

/** There is no connection, so no request was sent. */
export class NotConnectedError extends Error {}

/** @throws {ConfigurationError} if the proxy's URL is wrong */
export async function connect({
  baseUrl,
  maxConcurrency,
  requestTimeoutSecs,
}: Pick<Settings, "baseUrl" | "maxConcurrency" | "requestTimeoutSecs">): Promise<Dispatcher> {
  // Loaded late: an update that changes nothing sends no request.
  const { Agent, buildConnector, EnvHttpProxyAgent, errors, Pool } = await import("undici");
  const limitMs = Math.min(requestTimeoutSecs * 1000, longestConnectMs);
  // undici limits neither the time of a proxy's answer nor that of all steps.
  const inTime =
    (open: buildConnector.connector): buildConnector.connector =>
    (target, done) => {
      const signal = AbortSignal.timeout(limitMs);
      const targetInTime = { ...target, signal }; // A signal ends the request for a tunnel.
      const opened = new Promise<Socket>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new errors.ConnectTimeoutError()));
        open(targetInTime, (error, socket) => {
          if (error !== null) return reject(error);
          if (signal.aborted) socket.destroy();
          resolve(socket);
        });
      });
      opened.then(
        (socket) => done(null, socket),
        (cause: unknown) => done(new NotConnectedError("not connected", { cause }), null),
      );
    };
  const options = {
    connections: maxConcurrency,
    // undici's default, made explicit: with pipelining, it would be unknown which of several requests was lost.
    pipelining: 1,
    connect: { timeout: limitMs },
    maxResponseSize: longestAnswerBytes,
    factory: (origin: string | URL, { connect: open, ...more }: Pool.Options) =>
      new Pool(origin, { ...more, connect: inTime(typeof open === "function" ? open : buildConnector(open)) }),
  };
  // This machine's own addresses never go through a proxy.
  if (isOnThisMachine(baseUrl)) return new Agent(options);
  try {
    return new EnvHttpProxyAgent(options);
  } catch {
    // undici's error does not say what is wrong. The URL is not quoted: it may contain a password.
    throw new ConfigurationError(
      'the proxy in HTTPS_PROXY or HTTP_PROXY must look like "http://proxy.example.com:3128"',
    );
  }
}

const isOnThisMachine = (baseUrl: string) => isLoopback(new URL(baseUrl).hostname);

const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/** Whether a proxy whose address begins like this is used for a URL. */
export const hasProxy = (baseUrl: string, beginning: string) =>
  !isOnThisMachine(baseUrl) && proxyVariables.some((name) => process.env[name]?.toLowerCase().startsWith(beginning));

/** The hint to check the proxy too, if one is used for this URL. */
export const andProxy = (baseUrl: string) =>
  hasProxy(baseUrl, "http") ? " and the proxy in HTTPS_PROXY or HTTP_PROXY" : "";
