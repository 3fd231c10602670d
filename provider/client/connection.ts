import type { Dispatcher } from "undici";
import { ConfigurationError } from "./errors";
import { isLoopback, type Settings } from "./settings";

/** A page of 1,000 large objects fits. A configuration service sends nothing larger. */
export const longestAnswerBytes = 256 * 1024 * 1024;
/** The time limit for a connection: a preview should not wait longer. */
export const longestConnectMs = 10_000;

/** @throws {ConfigurationError} if the proxy's URL is wrong */
export async function connect({
  baseUrl,
  maxConcurrency,
  requestTimeoutSecs,
}: Pick<Settings, "baseUrl" | "maxConcurrency" | "requestTimeoutSecs">): Promise<Dispatcher> {
  // Loaded late: if the classes validate a preview, the provider sends no request.
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const options = {
    connections: maxConcurrency,
    // undici's default, made explicit: with pipelining, it would be unknown which of several requests was lost.
    pipelining: 1,
    connect: { timeout: Math.min(requestTimeoutSecs * 1000, longestConnectMs) },
    maxResponseSize: longestAnswerBytes,
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

/** The hint to check the proxy too, if one is used for this URL. */
export const andProxy = (baseUrl: string) =>
  !isOnThisMachine(baseUrl) && proxyVariables.some((name) => process.env[name])
    ? " and the proxy in HTTPS_PROXY or HTTP_PROXY"
    : "";
