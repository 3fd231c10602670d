import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { folder } from "./service.js";

const main = fileURLToPath(new URL("../../service/dist/main.js", import.meta.url));

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string>;
  /** Waits until `text` was printed or the command has ended. */
  printed(text: string): Promise<void>;
}

/** The built command, alone with the environment that it is given; it ends with the test. */
function run(args: readonly string[], cwd = folder(), env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const printed = async (text: string) => {
    let over = false;
    void ended.then(() => (over = true));
    while (!over && !out.includes(text)) await Promise.race([once(child.stdout, "data"), ended]);
  };
  return { child, out: () => out, err: () => err, ended, printed };
}

const value = (text: string, name: string) => new RegExp(`^export ${name}=(.*)$`, "m").exec(text)?.[1] ?? "";

async function serve(args: readonly string[], cwd?: string, env?: Readonly<Record<string, string>>) {
  const command = run(["--port", "0", ...args], cwd, env);
  await command.printed("OBSERVABILITY_API_TOKEN=");
  const url = value(command.out(), "OBSERVABILITY_BASE_URL");
  const token = value(command.out(), "OBSERVABILITY_API_TOKEN");
  const call = (path: string, init: RequestInit = {}, shown = token) =>
    fetch(`${url}/api/v1/config${path}`, {
      ...init,
      headers: { "API-Token": shown, "Content-Type": "application/json" },
    });
  return { ...command, url, token, call };
}

const condition = { defaults: { warn: { conditions: [{ op: "GT" }] } } };
const put = {
  method: "PUT",
  body: JSON.stringify({
    create_if_missing: true,
    monitor: { name: "m", label_query: "q", series_conditions: condition },
  }),
};

test("the command says where it is, where the data is, and what to export", async () => {
  const cwd = folder();
  const { out, err, url, token, call, child, ended } = await serve([], cwd);
  expect(out()).toBe(
    [
      `configuration service on ${url}`,
      `data in ${join(cwd, "observability.db")}, key in ${join(cwd, "observability.db.key")}`,
      "the token was made now and is not shown again",
      "",
      `export OBSERVABILITY_BASE_URL=${url}`,
      `export OBSERVABILITY_API_TOKEN=${token}`,
      "",
      "",
    ].join("\n"),
  );
  expect((await call("/notifiers")).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(err()).toBe("");
});

test("a token from the environment is taken and not printed", async () => {
  const { out, call } = await serve(["--database", ":memory:"], undefined, { OBSERVABILITY_API_TOKEN: "from-env" });
  expect(out()).toContain("data in memory, gone when the service stops");
  expect(out()).not.toContain("from-env");
  expect((await call("/notifiers", {}, "from-env")).status).toBe(200);
});

test("what was answered outlives a kill, and nothing is left that keeps the next one from starting", async () => {
  const cwd = folder();
  const first = await serve([], cwd);
  expect((await first.call("/monitors/m", put)).status).toBe(200);
  const second = run(["--port", "0"], cwd);
  expect(await second.ended).toBe(1);
  expect(second.err()).toBe(
    `error: unable to open the database "${join(cwd, "observability.db")}": another process uses it; stop that one, or name another file with --database\n`,
  );
  first.child.kill("SIGKILL");
  expect(await first.ended).toBe("SIGKILL");

  const third = await serve([], cwd);
  expect(third.out()).toContain("export OBSERVABILITY_API_TOKEN=<the token of the first start>");
  expect((await third.call("/monitors/m", {}, first.token)).status).toBe(200);
  third.child.kill("SIGINT");
  expect(await third.ended).toBe(0);
});

describe("the command ends with 1 and one line", () => {
  test("when the port is in use", async () => {
    const { url } = await serve(["--database", ":memory:"]);
    const { port } = new URL(url);
    const second = run(["--database", ":memory:", "--port", port]);
    expect(await second.ended).toBe(1);
    expect(second.err()).toBe(
      `error: unable to listen on 127.0.0.1 port ${port}: it is in use; choose another with --port\n`,
    );
  });

  test.each([
    [["--port", "70000"], "error: option '--port <number>' argument '70000' is invalid. expected 0 to 65535\n"],
    [
      ["--request-limit", "10"],
      "error: option '--request-limit <n/seconds>' argument '10' is invalid. expected requests/seconds, such as 100/10\n",
    ],
    [
      ["--operations", "some"],
      "error: option '--operations <which>' argument 'some' is invalid. Allowed choices are described, all.\n",
    ],
    [["--colour"], "error: unknown option '--colour'\n"],
    [["--document", "none.json"], /^error: unable to read the interface document "none\.json": .*\n$/],
    [
      ["--host", "192.0.2.1", "--database", ":memory:"],
      /^error: unable to listen on 192\.0\.2\.1 port 8787: this machine has no such address; .*\n$/,
    ],
  ])("when it is asked for %s", async (args, message) => {
    const { ended, err } = run(args);
    expect(await ended).toBe(1);
    expect(err()).toMatch(message);
  });
});

test("the log tells requests as JSON lines, without secrets and tokens", async () => {
  const { call, token, err, child, ended } = await serve(["--database", ":memory:", "--log-level", "info"]);
  const notifier = { name: "n", oncall_a: { api_key: "hush" } };
  await call("/notifiers", { method: "POST", body: JSON.stringify({ notifier }) });
  child.kill("SIGTERM");
  await ended;
  const line = JSON.parse(err().trim());
  expect(line).toMatchObject({ method: "POST", path: "/api/v1/config/notifiers", status: 200 });
  expect(err()).not.toContain("hush");
  expect(err()).not.toContain(token);
});

test("--operations, --strict, --show-secrets and --request-limit do as they say", async () => {
  const flags = ["--operations", "described", "--strict", "--show-secrets", "--request-limit", "4/60"];
  const { call } = await serve(["--database", ":memory:", ...flags]);
  const post = async (notifier: object) =>
    (await call("/notifiers", { method: "POST", body: JSON.stringify({ notifier }) })).json();
  expect(await post({ name: "n", nmae: "m", oncall_a: { api_key: "k" } })).toMatchObject({ code: 400008 });
  expect(await post({ name: "n", oncall_a: { api_key: "k" } })).toMatchObject({
    notifier: { oncall_a: { api_key: "k" } },
  });
  expect((await call("/notifiers/n")).status).toBe(404);
  expect((await call("/monitors/m", put)).status).toBe(200);
  expect((await call("/notifiers")).status).toBe(429);
});
