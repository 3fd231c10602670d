import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../../tools/project.mjs";

test.each(["SIGTERM", "SIGKILL"] as const)("`npm run serve` that %s ends takes the service with it", async (signal) => {
  const args = ["run", "--silent", "serve", "--", "--port", "0", "--database", ":memory:"];
  // A group of its own, so that nothing is left if the test fails.
  const npm = spawn("npm", args, { cwd: root, stdio: ["ignore", "pipe", "inherit"], detached: true });
  const ended = once(npm, "exit");
  onTestFinished(() => {
    try {
      process.kill(-Number(npm.pid), "SIGKILL");
    } catch {
      // Everything has ended, as it should.
    }
  });
  let out = "";
  npm.stdout.on("data", (chunk) => (out += chunk));
  while (!out.includes("OBSERVABILITY_API_TOKEN=")) await once(npm.stdout, "data");
  const url = /OBSERVABILITY_BASE_URL=(\S+)/.exec(out)?.[1] ?? "";
  const connection = connect(Number(new URL(url).port), "127.0.0.1");
  connection.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(connection, "data");

  const closed = once(connection, "close");
  npm.kill(signal);
  await Promise.all([ended, closed]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
