import type { Socket } from "node:net";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { ConfigurationError, ConnectionError } from "./errors";
import { inSeconds } from "./retry";
import { isLoopback, type Settings } from "./settings";

/** A page of 1,000 large objects fits. A longer answer is an error. */
export const longestAnswerBytes = 256 * 1024 * 1024;
/** The time limit for a connection, with a proxy's tunnel and TLS: a preview should not wait longer. */
const longestConnectMs = 10_000;

/** There is no connection, so no request was sent. */
class NotConnectedError extends Error {}

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
const hasProxy = (baseUrl: string, beginning: string) =>
  !isOnThisMachine(baseUrl) && proxyVariables.some((name) => process.env[name]?.toLowerCase().startsWith(beginning));

/** The hint to check the proxy too, if one is used for this URL. */
export const andProxy = (baseUrl: string) =>
  hasProxy(baseUrl, "http") ? " and the proxy in HTTPS_PROXY or HTTP_PROXY" : "";

/** The time limit ended in the middle of the answer. */
export const tooLate = Object.assign(new Error("too late"), { code: "TOO_LATE" });

/** The run was interrupted. */
export const interrupted = Object.assign(new Error("interrupted"), { code: "INTERRUPTED" });

/** A request that got no answer. */
interface Unanswered {
  /** As its error names it: `PUT /api/v1/config/monitors/errors to "https://example.com"`. */
  readonly request: string;
  readonly url: string;
  /** The name of the setting with the URL. */
  readonly setting: string;
  /** What to do if every answer takes too long. */
  readonly slowHint?: string | undefined;
  readonly limitMs: number;
  /** Whether the port has answered in HTTP. */
  readonly speaksHttp: boolean;
}

export function connectionError(unanswered: Unanswered, error: unknown): ConnectionError | ConfigurationError {
  const { request, url, setting, slowHint, limitMs, speaksHttp } = unanswered;
  const isSent = !(error instanceof NotConnectedError);
  const cause = (isSent ? error : error.cause) as { code?: string; message?: string }; // undici and Node errors have both
  // undici has a proxy's answer in its error's text alone.
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(cause.message ?? "")?.[1];
  if (proxyStatus === "407") {
    // A missing or wrong password is a wrong setting.
    return new ConfigurationError(
      `${request} was rejected by the proxy (407). Set the proxy's user and password in HTTPS_PROXY or HTTP_PROXY, as in "http://user:password@proxy.example.com:3128"`,
    );
  }
  const fail = (code: ConnectionError["facts"]["code"], words: string, hint?: string) => {
    const mayHaveArrived = isSent && code !== "unreachable";
    return new ConnectionError({ code, what: `${request} ${words}`, hint, mayHaveArrived, cause });
  };
  if (proxyStatus !== undefined)
    return fail("unreachable", `failed: the proxy in HTTPS_PROXY or HTTP_PROXY answered ${proxyStatus}`);
  switch (cause.code) {
    case "UND_ERR_CONNECT_TIMEOUT":
      return fail(
        "timeout",
        `failed: no connection within ${inSeconds(Math.min(limitMs, longestConnectMs))} s`,
        `Check ${setting}${andProxy(url)}, and check that no firewall blocks the connection`,
      );
    case interrupted.code:
      return fail("canceled", "was canceled because the run was interrupted");
    case tooLate.code:
      return fail("timeout", `failed: the answer was not complete within ${inSeconds(limitMs)} s`, slowHint);
    case "UND_ERR_HEADERS_TIMEOUT":
      return fail("timeout", `failed: no answer within ${inSeconds(limitMs)} s`, slowHint);
    case "ECONNREFUSED":
      return fail(
        "unreachable",
        "failed: connection refused",
        `Check that the service is running, and check ${setting}${andProxy(url)}`,
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return fail("unreachable", "failed: host not found", `Check ${setting}${andProxy(url)}`);
    // OpenSSL's reasons; which one comes depends on its version.
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return fail(
        "unreachable",
        "failed: that port does not use TLS",
        hasProxy(url, "https:")
          ? "If that is the proxy's port, write http:// in HTTPS_PROXY or HTTP_PROXY. If it is the service's, use its port for HTTPS"
          : `Use the service's port for HTTPS. If the service runs on this machine, you can write http:// in ${setting} instead`,
      );
    case "CERT_HAS_EXPIRED":
      return fail("unreachable", "failed: the certificate has expired", "Ask the operators of the service to renew it");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return fail("unreachable", "failed: the certificate is for another host", `Check the host name in ${setting}`);
    default: {
      const { code = "", message = String(error) } = cause;
      // In TLS 1.3 the request is on its way when the server rejects the handshake.
      if (code.includes("_ALERT_") && (!isSent || /CERT|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE/.test(code))) {
        return fail(
          "unreachable",
          `failed: the service rejected the TLS connection (${code})`,
          "Ask its operators what it requires. Client certificates are not supported",
        );
      }
      if (/CERT|SIGN|ISSUER|CRL/.test(code)) {
        return fail(
          "unreachable",
          `failed: the certificate is not trusted (${code})`,
          "If you trust it, set NODE_EXTRA_CA_CERTS to the PEM file of its authority, or of the certificate itself if it is self-signed",
        );
      }
      if (!isSent)
        return fail("unreachable", `failed: no connection: ${message || code}`, `Check ${setting}${andProxy(url)}`);
      // Many servers that expect TLS just close the connection.
      const hint =
        url.startsWith("http:") && !speaksHttp ? `If the service uses HTTPS, write https:// in ${setting}` : undefined;
      return fail("connection_lost", `was interrupted: ${message}`, hint);
    }
  }
}
