import { vi } from "vitest";

const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/** Makes this the environment's only proxy, or leaves it none, whatever it had before, until `vi.unstubAllEnvs`. */
export function stubProxy(address: string | undefined): void {
  for (const name of [...variables, ...variables.map((each) => each.toLowerCase())]) vi.stubEnv(name, undefined);
  vi.stubEnv("HTTP_PROXY", address);
}
