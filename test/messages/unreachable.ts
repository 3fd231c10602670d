import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { portOf } from "../support/http.js";

// A certificate for this machine that is its own authority, valid until 2126.
export const key = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIOOy0rtcnwb9qxTRDFL2uVRtjGPhJKjOA/JFB7nbKHheoAoGCCqGSM49
AwEHoUQDQgAE3m3EuPcJ76Q/k7PUp7AFDSxmhlF63upbKLiOzugSH09hHdUE6eyL
4Y53iBfKNcbp1JsfaR/B6+V0dunlo5GfXQ==
-----END EC PRIVATE KEY-----`;
export const cert = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUIfssxTwKK2GK3Kny1u7pnrvwW28wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE4NDA1NFoYDzIxMjYxMDI4
MTg0MDU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATebcS49wnvpD+Ts9SnsAUNLGaGUXre6lsouI7O6BIfT2Ed1QTp7Ivh
jneIF8o1xunUmx9pH8Hr5XR26eWjkZ9do28wbTAdBgNVHQ4EFgQUOD3HwtMb8PaE
NJaewk1EQs4H5UAwHwYDVR0jBBgwFoAUOD3HwtMb8PaENJaewk1EQs4H5UAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALosFrFd1mn1poQKHsZ6XEPPpfZv0YlJQKkwzrtTqTyDAiEA
0sYxOgU/hnne4b+RdZWl1i6ebtr1L5cvtOjhl3Mbj1A=
-----END CERTIFICATE-----`;

/** The address of a service whose certificate nobody has signed. */
export async function untrusted(): Promise<string> {
  const server = createServer({ key, cert });
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${await portOf(server)}`;
}

/** The address of a proxy that rejects every password. */
export async function proxyWithPassword(): Promise<string> {
  const server = createProxy().on("connect", (_, socket) =>
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
  );
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await portOf(server)}`;
}

const listening = `
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 });
  server.on("listening", () => console.log(server.address().port));
`;

/** An address at which no connection comes about: its queue is full, and nobody takes from it. */
export async function full(): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, ["-e", listening], { stdio: ["ignore", "pipe", "inherit"] });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
  });
  const [port] = await once(child.stdout ?? child, "data");
  child.kill("SIGSTOP");
  // The queue takes one more than it says.
  for (let i = 0; i < 2; i++) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
  }
  return `http://127.0.0.1:${Number(port)}`;
}
