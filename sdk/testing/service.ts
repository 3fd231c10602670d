/** A reference service that a test has started. */
export interface TestService {
  readonly url: string;
  readonly token: string;
  /** The environment that a program or a Pulumi command needs to use it. */
  readonly env: { readonly OBSERVABILITY_BASE_URL: string; readonly OBSERVABILITY_API_TOKEN: string };
  close(): Promise<void>;
}

interface ServicePackage {
  startService(): Promise<Omit<TestService, "env">>;
}

// Not a dependency: it brings a database, which no program needs.
const servicePackage: string = "@pulumi-observability/service";

/**
 * Starts the reference service in this process: in memory, at any free port, with a new token.
 * @throws if the package @pulumi-observability/service is not installed.
 */
export async function startService(): Promise<TestService> {
  const { startService: start } = await load();
  const { url, token, close } = await start();
  return { url, token, env: { OBSERVABILITY_BASE_URL: url, OBSERVABILITY_API_TOKEN: token }, close };
}

async function load(): Promise<ServicePackage> {
  try {
    return (await import(servicePackage)) as ServicePackage; // Its own types are the same.
  } catch (error) {
    // Even if the package is there, but a dependency of it is missing.
    throw new Error(
      `unable to load the reference service. Install ${servicePackage} as a development dependency, packed from a clone ` +
        `of pulumi-observability with "npm pack -w service"`,
      { cause: error },
    );
  }
}
