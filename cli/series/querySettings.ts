import { isLoopback } from "../../provider/client/settings";
import { environmentVariable } from "../../provider/schema/names";
import { CommandError } from "../output/output";

/** Where recorded series are asked for, and with which headers. */
export interface QuerySettings {
  /** Without a slash at its end, and without `/api/v1/query_range`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export const queryVariables = {
  url: environmentVariable("queryUrl"),
  token: environmentVariable("queryToken"),
  headers: environmentVariable("queryHeaders"),
  allowInsecure: environmentVariable("allowInsecure"),
} as const;

/**
 * The settings from the environment; `given` is the address on the command line. Undefined if there is no address.
 * @throws {CommandError} that quotes no value but the address, because the others are secrets
 */
export function querySettings(given: string | undefined, env: NodeJS.ProcessEnv): QuerySettings | undefined {
  const { [queryVariables.token]: token, [queryVariables.headers]: lines = "" } = env;
  const text = given || env[queryVariables.url];
  if (!text) return undefined;
  const url = readUrl(text, given ? "--query-url" : queryVariables.url);
  const headers = { ...readHeaders(lines), ...(token ? { authorization: `Bearer ${token}` } : {}) };
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]*$/.test(value))) {
    throw new CommandError(`${queryVariables.token} and ${queryVariables.headers} must be printable ASCII`);
  }
  const isOpen = url.protocol === "http:" && !isLoopback(url.hostname) && env[queryVariables.allowInsecure] !== "true";
  if (isOpen && Object.keys(headers).length > 0) {
    throw new CommandError(
      `"${url.href}" would get ${queryVariables.token} or ${queryVariables.headers} unencrypted: use https, or set ${queryVariables.allowInsecure} to true`,
    );
  }
  return { url, headers };
}

function readUrl(text: string, name: string): URL {
  const example = "https://prometheus.example.com";
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new CommandError(`${name} must be an http or https URL such as ${example}`);
  }
  const url = new URL(text);
  // The address is not quoted: it may hold the password.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new CommandError(
      `${name} must be a URL without credentials, query and fragment such as ${example}: credentials go into ${queryVariables.token}, or as "Authorization: Basic …" into ${queryVariables.headers}`,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1(\/query(_range)?)?$/, "");
  return url;
}

/** `Name: value`, one on each line. */
function readHeaders(lines: string): Readonly<Record<string, string>> {
  const headers = lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined) {
        throw new CommandError(`${queryVariables.headers} must have lines that look like "X-Scope-OrgID: checkout"`);
      }
      return [name.toLowerCase(), value ?? ""];
    });
  return Object.fromEntries(headers);
}
