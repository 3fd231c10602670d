import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../support/folders.js";
import { run, serve } from "./command.js";
import { monitor } from "./service.js";

/** A PUT of a monitor. */
const put = (annotations = {}) => ({
  method: "PUT",
  body: JSON.stringify({ create_if_missing: true, monitor: { ...monitor.valid, annotations } }),
});

test("the command prints its URL, the place of its data, and what to export", async () => {
  const cwd = ownFolder();
  const { text, url, token, call, child, ended } = await serve([], cwd);
  expect(text()).toBe(
    [
      `configuration service on ${url}`,
      `data in ${join(cwd, "observability.db")}, key in ${join(cwd, "observability.db.key")}`,
      "the token is new and is not shown again",
      "",
      `export OBSERVABILITY_BASE_URL=${url}`,
      `export OBSERVABILITY_API_TOKEN=${token}`,
      "",
      "",
    ].join("\n"),
  );
  expect((await call("/notifiers")).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("a token from the environment is used but not printed, and data in memory is reported", async () => {
  const { text, call } = await serve(["--database", ":memory:"], undefined, { OBSERVABILITY_API_TOKEN: "from-env" });
  expect(text()).toContain("data in memory, lost when the service stops");
  expect(text()).not.toContain("from-env");
  expect((await call("/notifiers", {}, "from-env")).status).toBe(200);
});

test("answered writes survive a kill, and the next start is not blocked", async () => {
  const cwd = ownFolder();
  const first = await serve([], cwd);
  expect((await first.call("/monitors/m", put())).status).toBe(200);
  const { code, stderr } = await run(["--port", "0"], cwd).ended;
  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: unable to open the database "${join(cwd, "observability.db")}": another process uses it; stop that process, or pass another file with --database\n`,
  );
  first.child.kill("SIGKILL");
  await first.ended;

  const third = await serve([], cwd);
  expect(third.text()).toContain("export OBSERVABILITY_API_TOKEN=<the token of the first start>");
  expect((await third.call("/monitors/m", {}, first.token)).status).toBe(200);
  third.child.kill("SIGINT");
  expect(await third.ended).toMatchObject({ code: 0 });
});

test("a full disk fails a write with 507, loses nothing, and ends with the next start", async () => {
  const cwd = ownFolder();
  const monitorOf = (label: string, length: number) => put({ label, x: "x".repeat(length) });
  const first = await serve(["--token", "t"], cwd);
  for (let i = 0; i < 10; i++)
    expect((await first.call(`/monitors/m${i}`, monitorOf("before", 20_000))).status).toBe(200);
  first.child.kill("SIGTERM");
  expect(await first.ended).toMatchObject({ code: 0 });

  // No file may grow beyond 100 KiB, so the log takes little and the database nothing at its end.
  const second = await serve(["--token", "t"], cwd, { FILE_LIMIT: "200" });
  const full = await second.call("/monitors/m9", monitorOf("lost", 200_000));
  const message = "the service can't write to its disk; nothing was stored";
  expect([full.status, await full.json()]).toEqual([
    507,
    { code: 50701, message: expect.stringContaining(`${message}; see its log for the request id`) },
  ]);
  expect((await second.call("/monitors/m9")).status).toBe(200);
  expect((await second.call("/monitors/m9", monitorOf("small", 20_000))).status).toBe(200);
  second.child.kill("SIGTERM");
  const { code, stderr } = await second.ended;
  const [logged = "", ...end] = stderr.split("\n");
  expect(JSON.parse(logged)).toMatchObject({ level: 50, msg: message, err: { code: "SQLITE_IOERR_WRITE" } });
  expect([code, ...end]).toEqual([1, "error: disk I/O error", ""]);

  const third = await serve(["--token", "t"], cwd);
  const { monitors } = (await (await third.call("/monitors")).json()) as { monitors: any[] };
  expect(monitors.map(({ annotations }) => annotations.label)).toEqual([...Array(9).fill("before"), "small"]);
});

// A port in use: persistence.test.ts.
test.each([
  ["--port 70000", "option '--port <number>' argument '70000' is invalid. expected 0 to 65535"],
  [
    "--operations some",
    "option '--operations <which>' argument 'some' is invalid. Allowed choices are described, all.",
  ],
  ["--color", "unknown option '--color'"],
  [
    "--host 192.0.2.1 --database :memory:",
    "unable to listen on 192.0.2.1 port 8787: this machine has no such address; ",
  ],
])("the command ends with 1 and one line when it is asked for %s", async (args, message) => {
  const { code, stderr } = await run(args.split(" ")).ended;
  expect(code).toBe(1);
  expect(stderr.startsWith(`error: ${message}`), stderr).toBe(true);
  expect(stderr.indexOf("\n")).toBe(stderr.length - 1);
});

test("the log has requests as JSON lines, without secrets and tokens", async () => {
  const { call, token, child, ended } = await serve(["--database", ":memory:", "--log-level", "info"]);
  const notifier = { name: "n", oncall_a: { api_key: "hush" } };
  await call("/notifiers", { method: "POST", body: JSON.stringify({ notifier }) });
  child.kill("SIGTERM");
  const { stderr } = await ended;
  expect(JSON.parse(stderr)).toMatchObject({ method: "POST", path: "/api/v1/config/notifiers", status: 200 });
  expect(stderr).not.toContain("hush");
  expect(stderr).not.toContain(token);
});

test("--operations, --strict and --show-secrets have the described effect", async () => {
  const flags = ["--operations", "described", "--strict", "--show-secrets"];
  const { call } = await serve(["--database", ":memory:", ...flags]);
  const post = async (notifier: object) =>
    (await call("/notifiers", { method: "POST", body: JSON.stringify({ notifier }) })).json();
  expect(await post({ name: "n", nmae: "m", oncall_a: { api_key: "k" } })).toMatchObject({ code: 400008 });
  expect(await post({ name: "n", oncall_a: { api_key: "k" } })).toMatchObject({
    notifier: { oncall_a: { api_key: "k" } },
  });
  expect((await call("/notifiers/n")).status).toBe(404);
  expect((await call("/monitors/m", put())).status).toBe(200);
});
