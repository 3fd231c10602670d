import { createServer } from "node:http";
import { portOf } from "./http.js";

/** For "pulumi stack init": the stack's key is kept by {@link keyService}. */
export const secretsProvider = "hashivault://tests";

/**
 * Keeps the keys that stacks encrypt their secrets with, and answers at once: to derive one from a passphrase takes each
 * operation 0.2 s of computing. Does not keep the process from ending.
 * @returns the environment in which the engine finds it
 */
export async function keyService(): Promise<Readonly<Record<string, string>>> {
  // Longer than an operation: the engine doesn't repeat a request on a connection that is closed meanwhile.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    // Vault's operations "encrypt" and "decrypt"; each key is answered as it came.
    const { plaintext, ciphertext } = JSON.parse(body) as { plaintext?: string; ciphertext?: string };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ data: { plaintext: ciphertext, ciphertext: plaintext } }));
  });
  const port = await portOf(server);
  server.unref();
  return { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "tests" };
}
