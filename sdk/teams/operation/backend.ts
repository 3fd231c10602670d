import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Where Pulumi keeps its state, as seen from the current folder.
 * @throws if the CLI is missing, or not logged in.
 */
export async function backendUrl(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("pulumi", ["whoami", "--json", "--non-interactive"]);
    return String((JSON.parse(stdout) as { readonly url?: unknown }).url);
  } catch (error) {
    const { code, stderr = "", message } = error as { code?: unknown; stderr?: string; message: string }; // as execFile fails
    if (code === "ENOENT") {
      throw new Error(
        "unable to run the Pulumi CLI. Install it, or add it to PATH (https://www.pulumi.com/docs/install/)",
      );
    }
    throw new Error(
      `no Pulumi backend. Run "pulumi login", or set PULUMI_BACKEND_URL. Pulumi printed: ${(stderr || message).trim()}`,
    );
  }
}
