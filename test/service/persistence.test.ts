import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Sqlite from "libsql";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Service, type ServiceOptions, StartError, startService } from "../../service/dist/server.js";
import { serve } from "./command.js";
import { clientOf, create, dataset, folder, logAllocationConfig, monitor, notifier } from "./service.js";

async function open(database: string, options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ database, token: "t", ...options });
  onTestFinished(() => service.close());
  return service;
}

async function refusal(options: ServiceOptions): Promise<string> {
  const started = await startService(options).catch((error: unknown) => error);
  expect(started).toBeInstanceOf(StartError);
  const { message } = started as StartError;
  expect(message).not.toContain("\n");
  return message;
}

/** Changes a database as something else than the service would. */
function change(file: string, sql: string): void {
  const sqlite = new Sqlite(file);
  sqlite.exec(`pragma foreign_keys = off; ${sql}`);
  sqlite.close();
}

/** A refused file stays locked in this process until its statements are collected, so each is another one. */
function copyOf(bytes: Buffer): string {
  const file = join(folder(), "s.db");
  writeFileSync(file, bytes);
  return file;
}

function rows(file: string, sql: string): readonly unknown[] {
  const sqlite = new Sqlite(file);
  try {
    return sqlite.prepare(sql).all();
  } finally {
    sqlite.close();
  }
}

const put = (body: object) => ({ method: "PUT", body: JSON.stringify({ create_if_missing: true, ...body }) });

const basic = { name: "n", slug: "n", oncall_a: { api_key: "hush" } };

test("everything outlives a restart: objects, secrets, references, token, page tokens", async () => {
  const file = join(folder(), "s.db");
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

  const second = await startService({ database: file, showSecrets: true });
  onTestFinished(() => second.close());
  expect([second.token, second.tokenIsNew]).toEqual(["", false]);
  const again = clientOf(second, first.token);
  const after = (await again.get("/notifiers")).body;
  expect(after.notifiers[0].oncall_a).toEqual({ api_key: "hush" });
  expect(after.notifiers[1]).toEqual(before.notifiers[1]);
  expect((await again.get(`/notifiers?page.token=${next_token}`)).body.notifiers[0].slug).toBe("o");
  expect((await again.delete("/datasets/d")).body.code).toBe(40003);
});

test("a token that is given replaces the one before", async () => {
  const file = join(folder(), "s.db");
  await (await open(file, { token: "old" })).close();
  const service = await open(file, { token: "new" });
  expect((await clientOf(service, "old").get("/notifiers")).status).toBe(401);
  expect((await clientOf(service, "new").get("/notifiers")).status).toBe(200);
});

test("a start that fails on an occupied port changes nothing", async () => {
  const path = folder();
  const file = join(path, "s.db");
  const busy = await open(join(folder(), "other.db"));
  await refusal({ database: file, token: "new", port: busy.port });
  expect(readdirSync(path)).toEqual([]);
  await (await open(file, { token: "old" })).close();
  await refusal({ database: file, token: "new", port: busy.port });
  const service = await startService({ database: file });
  onTestFinished(() => service.close());
  expect((await clientOf(service, "old").get("/notifiers")).status).toBe(200);
});

test("the token is stored as a hash with salt, and known by it after a restart", async () => {
  const [one, other] = [join(folder(), "s.db"), join(folder(), "s.db")];
  for (const file of [one, other]) await (await open(file, { token: "weak" })).close();
  const stored = [one, other].map((file) =>
    JSON.stringify(rows(file, "select * from settings where key like 'token%'")),
  );
  expect(stored[0]).not.toBe(stored[1]);
  const digest = createHash("sha256").update("weak");
  expect(stored.join()).not.toContain(digest.copy().digest("hex"));
  expect(stored.join()).not.toContain(digest.digest("base64"));

  const service = await startService({ database: one });
  onTestFinished(() => service.close());
  const status = async (token: string) => (await clientOf(service, token).get("/notifiers")).status;
  expect(await Promise.all(["weak", "wrong", "weak"].map(status))).toEqual([200, 401, 200]);
  expect(await status("wrong")).toBe(401);
});

test("a database of version 1 keeps its token, and its URLs in clear until they are written again", async () => {
  const file = join(folder(), "s.db");
  const first = await open(file, { token: "old" });
  const chat = { name: "n", slug: "n", chat: { api_url: "https://example.com/hook" } };
  await clientOf(first, "old").post("/notifiers", { notifier: chat });
  await first.close();
  const sqlite = new Sqlite(file);
  sqlite.exec("update objects set body = json_set(body, '$.chat.api_url', 'https://example.com/hook')");
  sqlite.exec("delete from settings where key = 'token'");
  sqlite.exec("update settings set value = '1' where key = 'schema_version'");
  for (const table of ["objects", "settings"]) sqlite.exec(`alter table ${table} drop column digest`);
  const hash = createHash("sha256").update("old").digest("hex");
  sqlite.prepare("insert into settings values ('token_sha256', ?)").run([hash]);
  sqlite.close();

  const second = await startService({ database: file });
  onTestFinished(() => second.close());
  const client = clientOf(second, "old");
  const shown = (await client.get("/notifiers/n")).body.notifier.chat;
  expect(shown).toEqual(chat.chat);
  expect((await client.put("/notifiers/n", { notifier: chat })).status).toBe(200);
  await second.close();
  expect(readFileSync(file).includes("example.com")).toBe(false);
  expect(rows(file, "select * from settings where key = 'token_sha256'")).toEqual([]);
});

test("a token that fits into no header is refused", async () => {
  expect(await refusal({ token: "a b" })).toBe("the token must be visible ASCII characters without spaces");
});

describe("the key of the secrets", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

  test("lies beside the database, readable to its owner only", async () => {
    const file = join(folder(), "s.db");
    await open(file);
    expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(`${file}.key`, "utf8"), "base64")).toHaveLength(32);
  });

  test("may be given instead, and then no file is written", async () => {
    const file = join(folder(), "s.db");
    const service = await open(file, { key: key(1) });
    await clientOf(service, "t").post("/notifiers", { notifier: basic });
    await service.close();
    expect(existsSync(`${file}.key`)).toBe(false);
    const shown = await open(file, { key: key(1), showSecrets: true });
    expect((await clientOf(shown, "t").get("/notifiers/n")).body.notifier.oncall_a.api_key).toBe("hush");
  });

  test("stops the start where it is missing, another, or none", async () => {
    const file = join(folder(), "s.db");
    await (await open(file)).close();
    expect(await refusal({ database: file, key: key(2) })).toBe(
      `the key does not open the secrets in "${file}"; start with the key that wrote them, in "${file}.key" or OBSERVABILITY_SERVICE_KEY`,
    );
    expect(await refusal({ database: file, key: "short" })).toMatch(
      /^the key in OBSERVABILITY_SERVICE_KEY is not 32 bytes in base64; /,
    );
    rmSync(`${file}.key`);
    expect(await refusal({ database: file })).toBe(
      `the database holds secrets but its key file "${file}.key" is missing; put it back, or give the key in OBSERVABILITY_SERVICE_KEY`,
    );
    expect(existsSync(`${file}.key`)).toBe(false);
  });
});

describe("a database", () => {
  test("belongs to one service at a time, and is free again after it", async () => {
    const file = join(folder(), "s.db");
    const service = await open(file);
    expect(await refusal({ database: file, token: "t" })).toBe(
      `unable to open the database "${file}": another process uses it; stop that one, or name another file with --database`,
    );
    await create(clientOf(service, "t"), monitor, "m");
    await service.close();
    expect((await clientOf(await open(file), "t").get("/monitors/m")).status).toBe(200);
  });

  test("is released where the service cannot start for another reason", async () => {
    const file = join(folder(), "s.db");
    const busy = await open(join(folder(), "other.db"));
    expect(await refusal({ database: file, port: busy.port })).toBe(
      `unable to listen on 127.0.0.1 port ${busy.port}: it is in use; choose another with --port`,
    );
    await open(file);
  });

  test("that a crash left behind is whole", async () => {
    const [from, to] = [folder(), folder()];
    const client = clientOf(await open(join(from, "s.db")), "t");
    await create(client, monitor, "m");
    // What is on disk now, while the service runs, is what a crash would leave.
    for (const name of ["s.db", "s.db-wal", "s.db.key"]) copyFileSync(join(from, name), join(to, name));
    expect((await clientOf(await open(join(to, "s.db")), "t").get("/monitors/m")).status).toBe(200);
  });

  test("that was copied while the service ran, without its log, is refused and not taken for empty", async () => {
    const [from, to] = [folder(), folder()];
    const client = clientOf(await open(join(from, "s.db")), "t");
    await create(client, monitor, "m");
    const copy = join(to, "s.db");
    for (const name of ["s.db", "s.db.key"]) copyFileSync(join(from, name), join(to, name));
    expect(await refusal({ database: copy })).toBe(
      `unable to open the database "${copy}": it was copied from a running service without "${copy}-wal", which holds its latest changes; copy both, or use a backup; an empty file of that name starts without those changes`,
    );
    copyFileSync(join(from, "s.db-wal"), `${copy}-wal`);
    expect((await clientOf(await open(copy), "t").get("/monitors/m")).status).toBe(200);

    await client.service.close();
    copyFileSync(join(from, "s.db"), join(to, "stopped.db"));
    copyFileSync(join(from, "s.db.key"), join(to, "stopped.db.key"));
    expect((await clientOf(await open(join(to, "stopped.db")), "t").get("/monitors/m")).status).toBe(200);
  });

  test("is backed up while the service runs, for the holder of the token", async () => {
    const [from, to] = [folder(), folder()];
    const client = clientOf(await open(join(from, "s.db")), "t");
    await client.post("/notifiers", { notifier: basic });
    const backup = (headers = {}) => fetch(`${client.service.url}/-/backup`, { headers });
    expect((await backup()).status).toBe(401);
    const answer = await backup({ "API-Token": "t" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/vnd.sqlite3"]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes("hush")).toBe(false);
    await create(client, monitor, "later");

    writeFileSync(join(to, "s.db"), bytes);
    copyFileSync(join(from, "s.db.key"), join(to, "s.db.key"));
    const restored = clientOf(await startService({ database: join(to, "s.db"), showSecrets: true }), "t");
    onTestFinished(() => restored.service.close());
    expect((await restored.get("/notifiers/n")).body.notifier.oncall_a).toEqual({ api_key: "hush" });
    expect((await restored.get("/monitors/later")).status).toBe(404);
  });

  test("is readable to its owner only, with its log and as a copy too", async () => {
    const path = folder();
    const file = join(path, "s.db");
    const modes = () =>
      Object.fromEntries(
        readdirSync(path).map((name) => [name, statSync(join(path, name)).mode.toString(8).slice(-3)]),
      );
    const service = await open(file);
    await create(clientOf(service, "t"), monitor, "m");
    expect(modes()).toEqual({ "s.db": "600", "s.db-wal": "600", "s.db.key": "600" });
    const copy = join(path, "copy.db");
    for (const end of ["", "-wal", ".key"]) copyFileSync(file + end, copy + end);
    await service.close();
    for (const name of ["s.db", "copy.db", "copy.db-wal"]) chmodSync(join(path, name), 0o644);
    await open(file);
    await open(copy);
    expect([...new Set(Object.values(modes()))]).toEqual(["600"]);
  });

  test("of a newer release is left alone", async () => {
    const file = join(folder(), "s.db");
    await (await open(file)).close();
    const sqlite = new Sqlite(file);
    sqlite.exec("update settings set value = '99' where key = 'schema_version'");
    sqlite.close();
    expect(await refusal({ database: file })).toBe(
      `unable to open the database "${file}": it has schema version 99, this release knows up to 3; start the newer release`,
    );
  });

  test("of another program is left alone", async () => {
    const file = join(folder(), "s.db");
    const sqlite = new Sqlite(file);
    sqlite.exec("create table cars (wheels integer)");
    sqlite.close();
    const before = readFileSync(file);
    expect(await refusal({ database: file })).toBe(
      `unable to open the database "${file}": it belongs to another program`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("that is damaged, or none, is told", async () => {
    const file = join(folder(), "s.db");
    const damaged = `unable to open the database "${file}": it is damaged or no SQLite database; restore a copy, or name another file with --database`;
    writeFileSync(file, "nothing that SQLite would know ".repeat(100));
    expect(await refusal({ database: file })).toBe(damaged);
    rmSync(file);
    const client = clientOf(await open(file), "t");
    for (let i = 0; i < 30; i++) await create(client, monitor, `m${i}`);
    await client.service.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4_096, 3 * 4_096);
    writeFileSync(file, bytes);
    expect(await refusal({ database: file })).toBe(damaged);
    writeFileSync(file, "");
    expect(await refusal({ database: file })).toContain("it is empty, although its key file is there; restore a copy");
  });

  test("behind a symbolic link starts again after a crash", async () => {
    const [place, beside] = [folder(), folder()];
    const [file, link] = [join(place, "s.db"), join(beside, "link.db")];
    symlinkSync(file, link);
    const first = await serve(["--database", link, "--token", "t"]);
    expect((await first.call("/monitors/m", put({ monitor: monitor.valid }), "t")).status).toBe(200);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(`${file}-wal`)).toBe(true);
    const second = await serve(["--database", link], folder());
    expect((await second.call("/monitors/m", {}, "t")).status).toBe(200);
  });

  // Bytes that are no UTF-8, another type, and what looks as if it were right.
  const wrong = ["cast(x'6dff' as text)", "x'6d'", "'m'"];
  const plausible: Readonly<Record<string, string>> = {
    body: `'{"name":"other"}'`,
    created_at: "'2020-02-02T20:20:20.202Z'",
    updated_at: "'2020-02-02T20:20:20.202Z'",
  };

  test.each(["kind", "slug", "name", "body", "created_at", "updated_at", "digest"])(
    "with anything else in the column %s of an object tells that at the start and when it is read, and goes on",
    async (column) => {
      const file = join(folder(), "s.db");
      const first = await open(file);
      await create(clientOf(first, "t"), monitor, "bad");
      // A mark in front, half of a character and a zero are stored in another way than they are given.
      await create(clientOf(first, "t"), monitor, "good", { name: "\ufeffhalf \ud800 and \0" });
      await first.close();
      const intact = readFileSync(file);
      for (const value of [...wrong, plausible[column] ?? "''"]) {
        writeFileSync(file, intact);
        change(file, `update objects set ${column} = ${value} where slug = 'bad'`);
        const lines: string[] = [];
        const service = await open(file, { log: pino({}, { write: (line) => void lines.push(line) }) });
        expect(lines.join(), value).toContain("damaged in the database: the ");
        const { get, delete: remove, post } = clientOf(service, "t");
        const found = await Promise.all(["/monitors/bad", "/monitors", "/monitors?names=m"].map((path) => get(path)));
        for (const { status, body } of found) {
          // What has another kind or slug now is not there.
          expect([200, 404, 500]).toContain(status);
          if (status === 500)
            expect(body.message).toMatch(/^the monitor ".*" is damaged in the database; restore a copy/);
          if (status === 200) expect(JSON.stringify(body)).not.toMatch(/other|2020-02-02/);
        }
        expect(found[1]?.status, value).toBe(column === "kind" || (column === "slug" && value === "''") ? 200 : 500);
        if (column !== "kind" && column !== "slug") {
          expect((await post("/monitors", { monitor: { ...monitor.valid, slug: "bad" } })).status).toBe(409);
          expect((await remove("/monitors/bad")).status).toBe(200);
          expect((await create(clientOf(service, "t"), monitor, "bad")).status).toBe(200);
          expect((await get("/monitors")).status).toBe(200);
        }
        expect((await get("/monitors/good")).status).toBe(200);
        await service.close();
      }
    },
  );

  test.each([
    ...["from_kind", "from_slug", "to_kind", "to_slug"].map((column) => [
      "object_references",
      column,
      "what refers to",
    ]),
    ...["key", "value", "digest"].map((column) => ["settings", column, "its setting"]),
  ])("with anything else in %s.%s does not start", async (table, column, told) => {
    const file = join(folder(), "s.db");
    const first = await open(file);
    const { post } = clientOf(first, "t");
    await create(clientOf(first, "t"), dataset, "d");
    await post("/log-allocation-config", { log_allocation_config: { dataset_allocations: [{ dataset_slug: "d" }] } });
    await first.close();
    const intact = readFileSync(file);
    for (const value of wrong) {
      const file = copyOf(intact);
      change(file, `update ${table} set ${column} = ${value}${table === "settings" ? " where key = 'token'" : ""}`);
      expect(await refusal({ database: file }), value).toContain(`it is damaged in ${told}`);
    }
  });

  test("with an index that leaves something out, or without the version of its tables, does not start", async () => {
    const file = join(folder(), "s.db");
    const first = await open(file);
    await create(clientOf(first, "t"), monitor, "MARK");
    await first.close();
    const intact = readFileSync(file);
    const unindexed = Buffer.from(intact);
    // The last page that has the two together is that of an index.
    unindexed.write("MARL", intact.lastIndexOf("MonitorMARK") + "Monitor".length);
    expect(await refusal({ database: copyOf(unindexed) })).toContain("it is damaged");
    for (const value of ["''", "cast(x'ff' as text)", "'0'"]) {
      const file = copyOf(intact);
      change(file, `update settings set value = ${value} where key = 'schema_version'`);
      expect(await refusal({ database: file }), value).toContain("it is damaged");
    }
  });

  test("that is deleted under a running service is told by the next write", async () => {
    const file = join(folder(), "s.db");
    const service = await startService({ database: file, token: "t" });
    const client = clientOf(service, "t");
    await create(client, notifier, "n");
    rmSync(file);
    for (const answer of [await create(client, notifier, "o"), await client.delete("/notifiers/n")]) {
      expect([answer.status, answer.body.code]).toEqual([507, 50701]);
      expect(answer.body.message).toContain("the database of the service was deleted or moved, nothing was stored");
    }
    expect((await client.get("/notifiers/n")).status).toBe(200);
    await expect(service.close()).rejects.toThrow(`the database "${file}" was deleted or moved while the service ran`);
  });

  test("in a folder that is not there, or is itself a folder, is told", async () => {
    const path = folder();
    expect(await refusal({ database: join(path, "none", "s.db") })).toBe(
      `unable to open the database "${join(path, "none", "s.db")}": there is no folder "${join(path, "none")}"`,
    );
    mkdirSync(join(path, "s.db"));
    expect(await refusal({ database: join(path, "s.db") })).toBe(
      `unable to open the database "${join(path, "s.db")}": it is a folder`,
    );
  });

  test("by a name that no file can have is told", async () => {
    const file = join(folder(), "s".repeat(300));
    expect(await refusal({ database: file })).toBe(`unable to open the database "${file}": its name is too long`);
  });

  // Root may write everywhere.
  test.skipIf(process.getuid?.() === 0)("in a folder without write access is told", async () => {
    const path = join(folder(), "closed");
    mkdirSync(path, { mode: 0o500 });
    expect(await refusal({ database: join(path, "s.db") })).toMatch(/this user may not write there$/);
  });
});
