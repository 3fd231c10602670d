import { isAway } from "../../../provider/client/failures";
import { andProxy } from "../../../provider/client/connection";
import { ApiError, ConfigurationError } from "../../../provider/client/errors";
import { listedKind } from "../../../provider/client/knownService";
import { isObject } from "../../../provider/wire/json";
import { type DoctorFinding, type Probe, type Result, shows } from "./probe";

/** The first answer. With a verdict there is no point in asking more. */
interface Connection {
  readonly verdict?: string;
  readonly findings: readonly DoctorFinding[];
}

/** Asks for the list that every service has. */
export async function connectionOf(probe: Probe): Promise<Connection> {
  const { client } = probe.run;
  const { list: operation } = listedKind.operations;
  const { many } = listedKind.wire;
  if (operation === undefined || many === undefined) throw new Error(`${listedKind.name} cannot be listed`);
  const request = { operation, path: operation.path, query: [["page.max_size", "1"]] as const };
  const { answer, error } = await probe.ask(() => probe.client.send(request));
  const name = `the service at "${client.baseUrl}"`;
  const reason =
    error === undefined
      ? `GET ${operation.path} answers without "page"`
      : probe.reason("check the URL and token", error);
  const failed = (verdict: string, page: string): Connection => ({
    verdict,
    findings: [{ line: "URL", ...shows("unusable", reason, undefined, page) }],
  });
  const isForbidden = error instanceof ApiError && error.status === 403 && error.isJson;
  if (isAway(error) || error instanceof ConfigurationError)
    return failed(`No answer from ${name}.`, "docs/troubleshooting.md#url-token-and-network");
  if (error instanceof ApiError && error.status === 401)
    return failed(`The token is rejected by ${name}.`, "docs/troubleshooting.md#answered-401");
  if (!isForbidden && !isObject(answer?.body.page)) {
    if (!Array.isArray(answer?.body[many]))
      return failed(`"${client.baseUrl}" isn't the URL of a configuration service.`, elsewhere);
    return failed(`Don't use the provider with ${name}: its lists don't show where they end.`, endless);
  }
  const proxy = andProxy(client.baseUrl) === "" ? "" : ", through the proxy in HTTPS_PROXY or HTTP_PROXY";
  const url = `${client.baseUrl}, ${client.baseUrl.startsWith("https:") ? "TLS" : "plain HTTP"}${proxy}`;
  const denied = shows("missing", reason, undefined, "docs/troubleshooting.md#answered-403");
  return {
    findings: [
      { line: "URL", ...shows("ok", url) },
      { line: "token", ...(isForbidden ? denied : shows("ok", "accepted")) },
      ...(isForbidden ? [] : [{ line: "clock", ...clock(answer?.date) }]),
    ],
  };
}

const elsewhere = "docs/troubleshooting.md#is-the-configuration-services-url";
const endless = "docs/limits.md#answers-that-differ-from-the-api-spec";

function clock(date: number | undefined): Result {
  const meaning = "If the answer to a create is lost, the provider can't tell whose object it is";
  if (date === undefined) return shows("note", "not shown", meaning, "docs/troubleshooting.md#the-answer-was-lost");
  // The header has whole seconds.
  const difference = Math.round((date + 500 - Date.now()) / 1_000);
  return shows("ok", `${Math.abs(difference)} s ${difference < 0 ? "behind" : "ahead of"} this machine's`);
}
