import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { monitor, start } from "./service.js";

/** A connection whose text can be waited for. */
class Wire {
  readonly #socket: Socket;
  text = "";

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on("data", (chunk) => (this.text += chunk));
  }

  /** Sends a text, or the rest of one, and waits until that has happened. */
  send = (text: string) => new Promise<void>((done) => this.#socket.write(text, () => done()));

  async read(what: RegExp): Promise<void> {
    while (!what.test(this.text)) await once(this.#socket, "data");
  }

  async ended(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, "close");
  }
}

test("a service that stops finishes what it has begun, refuses what is new, and then ends", async () => {
  const { service } = await start();
  const head = (method: string) =>
    `${method} /api/v1/config/monitors/m HTTP/1.1\r\nHost: x\r\nAPI-Token: ${service.token}\r\n`;
  const body = JSON.stringify({ monitor: monitor.valid, create_if_missing: true });

  const [idle, late, running] = [1, 2, 3].map(() => new Wire(service.url)) as [Wire, Wire, Wire];
  await idle.send(`${head("GET")}\r\n`);
  await idle.read(/40401/);
  await late.send(head("GET"));
  await running.send(
    `${head("PUT")}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await running.read(/100 Continue/);

  const closed = service.close();
  await idle.ended();
  await late.send("\r\n");
  await late.read(/"code":50301/);
  expect(late.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(late.text).toMatch(/retry-after: 1\r\n/i);
  await late.ended();

  await running.send(body);
  await running.read(/"monitor":/);
  expect(running.text).toMatch(/HTTP\/1\.1 200 OK/);
  expect(running.text).toMatch(/connection: close/i);
  await running.ended();
  // A second stop is the first.
  await Promise.all([closed, service.close()]);
  await service.close();
  await expect(fetch(service.url)).rejects.toThrow();
});
