import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Sqlite from "libsql";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { type ServiceOptions, StartError, startService } from "../../service/dist/server.js";
import { ownFolder } from "../support/folders.js";
import { serve } from "./command.js";
import { type Client, clientOf, create, dataset, logAllocationConfig, monitor, notifier, start } from "./service.js";

/** A service with a database, which ends with the test, and a client with the token "t". */
const open = (database: string, options: ServiceOptions = {}): Promise<Client> =>
  start({ database, token: "t", ...options });

const ownFile = () => join(ownFolder(), "s.db");

async function refusal(options: ServiceOptions): Promise<string> {
  const started = await startService(options).catch((error: unknown) => error);
  expect(started).toBeInstanceOf(StartError);
  const { message } = started as StartError;
  expect(message).not.toContain("\n");
  return message;
}

/** Runs a statement in the database of a stopped service. */
function query(file: string, sql: string): string {
  const sqlite = new Sqlite(file);
  try {
    const statement = sqlite.prepare(sql);
    return JSON.stringify(statement.reader ? statement.all([]) : statement.run([]));
  } finally {
    sqlite.close();
  }
}

const basic = { name: "n", slug: "n", oncall_a: { api_key: "hush" } };

test("objects, secrets, references, token and page tokens survive a restart", async () => {
  const file = ownFile();
  const first = await startService({ database: file });
  const client = clientOf(first);
  await client.post("/notifiers", { notifier: basic });
  await create(client, notifier, "o");
  await create(client, dataset, "d");
  await client.post(logAllocationConfig.path, {
    log_allocation_config: { dataset_allocations: [{ dataset_slug: "d" }] },
  });
  const before = (await client.get("/notifiers")).body;
  const { next_token } = (await client.get("/notifiers?page.max_size=1")).body.page;
  expect(first.tokenIsNew).toBe(true);
  await first.close();
  expect(existsSync(`${file}-wal`)).toBe(false);

  const { service: second } = await start({ database: file, showSecrets: true });
  expect([second.token, second.tokenIsNew]).toEqual(["", false]);
  const again = clientOf(second, first.token);
  const after = (await again.get("/notifiers")).body;
  expect(after.notifiers[0].oncall_a).toEqual({ api_key: "hush" });
  expect(after.notifiers[1]).toEqual(before.notifiers[1]);
  expect((await again.get(`/notifiers?page.token=${next_token}`)).body.notifiers[0].slug).toBe("o");
  expect((await again.delete("/datasets/d")).body.code).toBe(40003);
});

test("a start that fails on an occupied port changes nothing, and keeps no lock", async () => {
  const file = ownFile();
  const { service: busy } = await open(ownFile());
  const inUse = `unable to listen on 127.0.0.1 port ${busy.port}: the port is in use; choose another one with --port`;
  expect(await refusal({ database: file, token: "new", port: busy.port })).toBe(inUse);
  expect(readdirSync(dirname(file))).toEqual([]);
  await (await open(file, { token: "old" })).service.close();
  expect(await refusal({ database: file, token: "new", port: busy.port })).toBe(inUse);
  const { service } = await start({ database: file });
  expect((await clientOf(service, "old").get("/notifiers")).status).toBe(200);
});

test("the token is stored as a hash, and replaced by a new one", async () => {
  const file = ownFile();
  await (await open(file, { token: "a-token" })).service.close();
  expect(query(file, "select * from settings")).not.toContain("a-token");

  const { service } = await start({ database: file });
  const status = async (token: string) => (await clientOf(service, token).get("/notifiers")).status;
  expect(await Promise.all(["a-token", "wrong", "a-token"].map(status))).toEqual([200, 401, 200]);
  await service.close();
  const replaced = await open(file, { token: "new" });
  expect((await replaced.get("/notifiers")).status).toBe(200);
  expect((await clientOf(replaced.service, "a-token").get("/notifiers")).status).toBe(401);
});

test("a token that fits into no header is refused", async () => {
  expect(await refusal({ token: "a b" })).toBe("the token must be visible ASCII characters without spaces");
});

describe("the key of the secrets", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

  test("can be given, and then no file is written", async () => {
    const file = ownFile();
    const first = await open(file, { key: key(1) });
    await first.post("/notifiers", { notifier: basic });
    await first.service.close();
    expect(existsSync(`${file}.key`)).toBe(false);
    const shown = await open(file, { key: key(1), showSecrets: true });
    expect((await shown.get("/notifiers/n")).body.notifier.oncall_a.api_key).toBe("hush");
  });

  test.each<[state: string, key: string | undefined, why: (file: string) => string]>([
    [
      "is another",
      key(2),
      (file) =>
        `the key can't decrypt the secrets in "${file}"; start with the original key, in "${file}.key" or OBSERVABILITY_SERVICE_KEY`,
    ],
    ["is none", "short", () => "the key in OBSERVABILITY_SERVICE_KEY is not 32 bytes in base64; "],
    [
      "is missing",
      undefined,
      (file) =>
        `the database contains secrets, but its key file "${file}.key" is missing; restore it, or set the key in OBSERVABILITY_SERVICE_KEY`,
    ],
  ])("that %s stops the start, and no key is made", async (_state, given, why) => {
    const file = ownFile();
    await (await open(file)).service.close();
    rmSync(`${file}.key`);
    expect(await refusal({ database: file, ...(given && { key: given }) })).toContain(why(file));
    expect(existsSync(`${file}.key`)).toBe(false);
  });
});

describe("a start fails if the database", () => {
  test.each<[sentence: string, spoil: (file: string) => unknown, why: string]>([
    [
      "is of another release or another program",
      (file) => query(file, "create table settings (key text)"),
      "another release or another program created it; pass another file with --database",
    ],
    [
      "is no database",
      (file) => writeFileSync(file, "no database ".repeat(100)),
      "it is damaged or not a SQLite database",
    ],
  ])("%s", async (_sentence, spoil, why) => {
    const file = ownFile();
    spoil(file);
    expect(await refusal({ database: file })).toContain(`unable to open the database "${file}": ${why}`);
  });

  test.each<[sentence: string, path: string, why: (folder: string) => string]>([
    ["is in no folder", "none/s.db", (folder) => `the folder "${join(folder, "none")}" does not exist`],
    ["is a folder", "folder", () => "it is a folder"],
    ["is in a closed folder", "closed/s.db", () => "this user has no write permission there"],
  ])("%s", async (_sentence, path, why) => {
    // Root may write everywhere.
    if (path.startsWith("closed") && process.getuid?.() === 0) return;
    const folder = ownFolder();
    mkdirSync(join(folder, "folder"));
    mkdirSync(join(folder, "closed"), { mode: 0o500 });
    const database = join(folder, path);
    expect(await refusal({ database })).toBe(`unable to open the database "${database}": ${why(folder)}`);
  });
});

describe("a database", () => {
  test("is readable to its owner only, with its log", async () => {
    const file = ownFile();
    const modes = () =>
      readdirSync(dirname(file)).map(
        (name) => `${name} ${(statSync(join(dirname(file), name)).mode & 0o777).toString(8)}`,
      );
    writeFileSync(file, "", { mode: 0o644 });
    await create(await open(file), monitor, "m");
    expect(modes()).toEqual(["s.db 600", "s.db-wal 600", "s.db.key 600"]);
  });

  test("behind a symbolic link starts again after a crash", async () => {
    const [file, link] = [ownFile(), join(ownFolder(), "link.db")];
    symlinkSync(file, link);
    const first = await serve(["--database", link, "--token", "t"]);
    const body = JSON.stringify({ create_if_missing: true, monitor: monitor.valid });
    expect((await first.call("/monitors/m", { method: "PUT", body })).status).toBe(200);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(`${file}-wal`)).toBe(true);
    const second = await serve(["--database", link], ownFolder());
    expect((await second.call("/monitors/m", {}, "t")).status).toBe(200);
  });

  test("with an object that cannot be read fails only the reads of that object, and the log has the reason", async () => {
    const file = ownFile();
    const first = await open(file);
    for (const slug of ["bad", "good"]) await create(first, monitor, slug);
    await first.service.close();
    query(file, "update objects set body = 'broken' where slug = 'bad'");
    const lines: string[] = [];
    const { get } = await open(file, { log: pino({}, { write: (line) => void lines.push(line) }) });
    const { status, headers, body } = await get("/monitors/bad");
    const requestId = headers.get("x-request-id");
    expect([status, body]).toEqual([
      500,
      { code: 50001, message: `the service failed; see its log for the request id ${requestId}` },
    ]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      requestId,
      err: { message: expect.stringContaining("broken") },
    });
    expect((await get("/monitors/good")).status).toBe(200);
  });
});
