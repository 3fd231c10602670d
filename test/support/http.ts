import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { atEnd } from "./ends.js";

// Tests ask thousands of times, and `fetch` takes three times the time.
const agent = new Agent();

/** One request; what is left out is not sent. */
export async function request(
  url: string | URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) {
  const { origin, pathname, search } = new URL(url);
  const send = () =>
    agent.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod, // Typed by the common ones only.
      headers,
      ...(body === undefined ? {} : { body }),
    });
  // A service that stops closes idle connections, maybe just when one is used again.
  const answer = await send().catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "UND_ERR_SOCKET") throw error;
    return send();
  });
  // No header that tests look at repeats.
  return {
    status: answer.statusCode,
    headers: new Headers(answer.headers as Record<string, string>),
    text: await answer.body.text(),
  };
}

/** Lets a server listen on a free port of this machine. @returns the port. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port; // It listens on a port.
}

/** A server on a free port of this machine, which ends with the test file. @returns its URL. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  atEnd(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${await portOf(server)}`;
}
