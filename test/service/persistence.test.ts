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
import { dirname, join } from "node:path";
import Sqlite from "libsql";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { type ServiceOptions, StartError, startService } from "../../service/dist/server.js";
import { ownFolder } from "../support/folders.js";
import { run, serve } from "./command.js";
import { type Client, clientOf, create, dataset, logAllocationConfig, monitor, notifier, start } from "./service.js";

/** A service with a database, which ends with the test, and a client with the token "t". */
const open = (database: string, options: ServiceOptions = {}): Promise<Client> =>
  start({ database, token: "t", ...options });

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

function rows(file: string, sql: string): readonly unknown[] {
  const sqlite = new Sqlite(file);
  try {
    return sqlite.prepare(sql).all();
  } finally {
    sqlite.close();
  }
}

const basic = { name: "n", slug: "n", oncall_a: { api_key: "hush" } };

test("everything outlives a restart: objects, secrets, references, token, page tokens", async () => {
  const file = join(ownFolder(), "s.db");
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
  const file = join(ownFolder(), "s.db");
  const { service: busy } = await open(join(ownFolder(), "other.db"));
  const inUse = `unable to listen on 127.0.0.1 port ${busy.port}: it is in use; choose another with --port`;
  expect(await refusal({ database: file, token: "new", port: busy.port })).toBe(inUse);
  expect(readdirSync(dirname(file))).toEqual([]);
  await (await open(file, { token: "old" })).service.close();
  expect(await refusal({ database: file, token: "new", port: busy.port })).toBe(inUse);
  const { service } = await start({ database: file });
  expect((await clientOf(service, "old").get("/notifiers")).status).toBe(200);
});

test("the token is stored as a hash with salt, known by it after a restart, and replaced by a new one", async () => {
  const [one, other] = [join(ownFolder(), "s.db"), join(ownFolder(), "s.db")];
  for (const file of [one, other]) await (await open(file, { token: "weak" })).service.close();
  const stored = [one, other].map((file) =>
    JSON.stringify(rows(file, "select * from settings where key like 'token%'")),
  );
  expect(stored[0]).not.toBe(stored[1]);
  for (const encoding of ["hex", "base64"] as const)
    expect(stored.join()).not.toContain(createHash("sha256").update("weak").digest(encoding));

  const { service } = await start({ database: one });
  const status = async (token: string) => (await clientOf(service, token).get("/notifiers")).status;
  expect(await Promise.all(["weak", "wrong", "weak"].map(status))).toEqual([200, 401, 200]);
  expect(await status("wrong")).toBe(401);
  const replaced = await open(other, { token: "new" });
  expect((await replaced.get("/notifiers")).status).toBe(200);
  expect((await clientOf(replaced.service, "weak").get("/notifiers")).status).toBe(401);
});

test("a database of version 1 keeps its token, and its URLs in clear until they are written again", async () => {
  const file = join(ownFolder(), "s.db");
  const first = await open(file, { token: "old" });
  const chat = { name: "n", slug: "n", chat: { api_url: "https://example.com/hook" } };
  await first.post("/notifiers", { notifier: chat });
  await first.service.close();
  change(
    file,
    `update objects set body = json_set(body, '$.chat.api_url', 'https://example.com/hook');
     delete from settings where key = 'token';
     update settings set value = '1' where key = 'schema_version';
     alter table objects drop column digest;
     alter table settings drop column digest;
     insert into settings values ('token_sha256', '${createHash("sha256").update("old").digest("hex")}')`,
  );

  const { service } = await start({ database: file });
  const client = clientOf(service, "old");
  expect((await client.get("/notifiers/n")).body.notifier.chat).toEqual(chat.chat);
  expect((await client.put("/notifiers/n", { notifier: chat })).status).toBe(200);
  await service.close();
  expect(readFileSync(file).includes("example.com")).toBe(false);
  expect(rows(file, "select * from settings where key = 'token_sha256'")).toEqual([]);
});

test("a token that fits into no header is refused", async () => {
  expect(await refusal({ token: "a b" })).toBe("the token must be visible ASCII characters without spaces");
});

describe("the key of the secrets", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

  test("may be given instead, and then no file is written", async () => {
    const file = join(ownFolder(), "s.db");
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
        `the key does not open the secrets in "${file}"; start with the key that wrote them, in "${file}.key" or OBSERVABILITY_SERVICE_KEY`,
    ],
    ["is none", "short", () => "the key in OBSERVABILITY_SERVICE_KEY is not 32 bytes in base64; "],
    [
      "is missing",
      undefined,
      (file) =>
        `the database holds secrets but its key file "${file}.key" is missing; put it back, or give the key in OBSERVABILITY_SERVICE_KEY`,
    ],
  ])("that %s stops the start, and no key is made", async (_state, given, why) => {
    const file = join(ownFolder(), "s.db");
    await (await open(file)).service.close();
    rmSync(`${file}.key`);
    expect(await refusal({ database: file, ...(given && { key: given }) })).toContain(why(file));
    expect(existsSync(`${file}.key`)).toBe(false);
  });
});

/** Bytes that are no UTF-8, another type, and what looks as if it were right. */
const wrongValues = ["cast(x'6dff' as text)", "x'6d'", "'m'"];
const damaged = "it is damaged or no SQLite database; restore a copy, or name another file with --database";
const version = "where key = 'schema_version'";

describe("a start fails if the database", () => {
  let intact: Buffer;
  let key: Buffer;
  beforeAll(async () => {
    const file = join(ownFolder(), "s.db");
    const service = await startService({ database: file, token: "t" });
    const client = clientOf(service, "t");
    for (let i = 0; i < 30; i++) await create(client, monitor, `m${i}`);
    await create(client, monitor, "MARK");
    await create(client, dataset, "d");
    await client.post("/log-allocation-config", {
      log_allocation_config: { dataset_allocations: [{ dataset_slug: "d" }] },
    });
    await service.close();
    [intact, key] = [readFileSync(file), readFileSync(`${file}.key`)];
  });

  function copy(): string {
    const file = join(ownFolder(), "s.db");
    writeFileSync(file, intact);
    writeFileSync(`${file}.key`, key);
    return file;
  }

  // By SQL, in which "?" is each of the wrong values, or by its bytes.
  test.each<[sentence: string, spoil: string | ((bytes: Buffer) => Buffer | string), why: string]>([
    [
      "is of a newer release",
      `update settings set value = '99' ${version}`,
      "it has schema version 99, this release knows up to 3; start the newer release",
    ],
    ["is of another program", "alter table settings rename to cars", "it belongs to another program"],
    ["has no version", `update settings set value = '' ${version}`, "it is damaged"],
    ["has the version 0", `update settings set value = '0' ${version}`, "it is damaged"],
    ["has a version that is none", `update settings set value = ? ${version}`, "it is damaged"],
    ...["from_kind", "from_slug", "to_kind", "to_slug"].map((column): [string, string, string] => [
      `has another reference in ${column}`,
      `update object_references set ${column} = ?`,
      "it is damaged in what refers to what",
    ]),
    ...["key", "value", "digest"].map((column): [string, string, string] => [
      `has another setting in ${column}`,
      `update settings set ${column} = ? where key = 'token'`,
      "it is damaged in its setting",
    ]),
    [
      "has an index that leaves something out",
      // The last page that has kind and slug together is that of an index.
      (bytes) => bytes.fill("L", bytes.lastIndexOf("MonitorMARK") + 10, bytes.lastIndexOf("MonitorMARK") + 11),
      "it is damaged",
    ],
    ["has lost pages", (bytes) => bytes.fill(0xff, 4_096, 3 * 4_096), damaged],
    ["is no database", () => "nothing that SQLite would know ".repeat(100), damaged],
    ["is empty beside its key file", () => "", "it is empty, although its key file is there; restore a copy"],
  ])("%s", async (sentence, spoil, why) => {
    for (const value of typeof spoil === "string" && spoil.includes("?") ? wrongValues : [""]) {
      const file = copy();
      if (typeof spoil === "string") change(file, spoil.replace("?", value));
      else writeFileSync(file, spoil(Buffer.from(intact)));
      const before = readFileSync(file);
      expect(await refusal({ database: file })).toContain(`unable to open the database "${file}": ${why}`);
      // Somebody else can still use it.
      if (sentence.startsWith("is of ")) expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  // A known defect: the start has turned the file to WAL mode when it finds the damage, and leaves it there.
  test.fails("has a damaged setting, and a second start gives the same reason", async () => {
    const file = copy();
    change(file, "update settings set digest = 'm'");
    for (let i = 0; i < 2; i++) {
      const { ended, err } = run(["--database", file, "--port", "0"]);
      expect(await ended).toBe(1);
      expect(err()).toContain("it is damaged in its setting");
    }
  });

  test.each<[sentence: string, path: string, why: (folder: string) => string]>([
    ["is in no folder", "none/s.db", (folder) => `there is no folder "${join(folder, "none")}"`],
    ["is a folder", "folder", () => "it is a folder"],
    ["has too long a name", "s".repeat(300), () => "its name is too long"],
    ["is in a closed folder", "closed/s.db", () => "this user may not write there"],
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
  test("that was copied from a running service needs its log, as after a crash", async () => {
    const [from, to] = [ownFolder(), ownFolder()];
    const client = await open(join(from, "s.db"));
    await create(client, monitor, "m");
    const copy = join(to, "s.db");
    for (const name of ["s.db", "s.db.key"]) copyFileSync(join(from, name), join(to, name));
    expect(await refusal({ database: copy })).toBe(
      `unable to open the database "${copy}": it was copied from a running service without "${copy}-wal", which holds its latest changes; copy both, or use a backup; an empty file of that name starts without those changes`,
    );
    copyFileSync(join(from, "s.db-wal"), `${copy}-wal`);
    expect((await (await open(copy)).get("/monitors/m")).status).toBe(200);

    await client.service.close();
    copyFileSync(join(from, "s.db"), join(to, "stopped.db"));
    copyFileSync(join(from, "s.db.key"), join(to, "stopped.db.key"));
    expect((await (await open(join(to, "stopped.db"))).get("/monitors/m")).status).toBe(200);
  });

  test("is backed up while the service runs, for the holder of the token", async () => {
    const [from, to] = [ownFolder(), ownFolder()];
    const client = await open(join(from, "s.db"));
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
    const restored = await open(join(to, "s.db"), { showSecrets: true });
    expect((await restored.get("/notifiers/n")).body.notifier.oncall_a).toEqual({ api_key: "hush" });
    expect((await restored.get("/monitors/later")).status).toBe(404);
  });

  test("is readable to its owner only, with its log and as a copy too", async () => {
    const path = ownFolder();
    const file = join(path, "s.db");
    const modes = () =>
      readdirSync(path).map((name) => `${name} ${(statSync(join(path, name)).mode & 0o777).toString(8)}`);
    const client = await open(file);
    await create(client, monitor, "m");
    expect(modes()).toEqual(["s.db 600", "s.db-wal 600", "s.db.key 600"]);
    const copy = join(path, "copy.db");
    for (const end of ["", "-wal", ".key"]) copyFileSync(file + end, copy + end);
    await client.service.close();
    for (const name of ["s.db", "copy.db", "copy.db-wal"]) chmodSync(join(path, name), 0o644);
    await open(file);
    await open(copy);
    expect(modes().filter((each) => !each.endsWith(" 600"))).toEqual([]);
  });

  test("behind a symbolic link starts again after a crash", async () => {
    const [place, beside] = [ownFolder(), ownFolder()];
    const [file, link] = [join(place, "s.db"), join(beside, "link.db")];
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

  // What looks as if it were right.
  const plausible: Readonly<Record<string, string>> = {
    body: `'{"name":"other"}'`,
    created_at: "'2020-02-02T20:20:20.202Z'",
    updated_at: "'2020-02-02T20:20:20.202Z'",
  };

  test.each(["kind", "slug", "name", "body", "created_at", "updated_at", "digest"])(
    "with anything else in the column %s of an object tells that at the start and when it is read, and goes on",
    async (column) => {
      const file = join(ownFolder(), "s.db");
      const first = await open(file);
      await create(first, monitor, "bad");
      // A mark in front, half of a character and a zero are stored in another way than they are given.
      await create(first, monitor, "good", { name: "\ufeffhalf \ud800 and \0" });
      await first.service.close();
      const intact = readFileSync(file);
      for (const value of [...wrongValues, plausible[column] ?? "''"]) {
        writeFileSync(file, intact);
        change(file, `update objects set ${column} = ${value} where slug = 'bad'`);
        const lines: string[] = [];
        const client = await open(file, { log: pino({}, { write: (line) => void lines.push(line) }) });
        expect(lines.join(), value).toContain("damaged in the database: the ");
        const { get, delete: remove, post } = client;
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
          expect((await create(client, monitor, "bad")).status).toBe(200);
          expect((await get("/monitors")).status).toBe(200);
        }
        expect((await get("/monitors/good")).status).toBe(200);
        await client.service.close();
      }
    },
  );

  test("that is deleted under a running service is told by the next write", async () => {
    const file = join(ownFolder(), "s.db");
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
});
