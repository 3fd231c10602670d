import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownFolder } from "../support/folders.js";
import { type Client, problemsOf, start } from "./service.js";

const mask = "**REDACTED**";
const basic = { basic_auth: { username: "u", password: "secret-1" } };
const receivers = {
  a: { oncall_a: { api_key: "secret-2", http_config: basic } },
  b: { oncall_b: { routing_key: "secret-3", http_config: { bearer_token: "secret-5" } } },
  // An empty secret is none, and not masked.
  s: { oncall_b: { service_key: "secret-4", routing_key: "" } },
  c: { oncall_c: { api_key: "secret-6", routing_key: "secret-7", http_config: basic } },
  w: { webhook: { url: "https://example.com/hook", http_config: { bearer_token: "secret-8", proxy_url: "http://p" } } },
};

async function fill(client: Client): Promise<void> {
  for (const [slug, receiver] of Object.entries(receivers)) {
    expect((await client.post("/notifiers", { notifier: { name: slug, slug, ...receiver } })).status).toBe(200);
  }
}

const hidden = (receiver: object) => JSON.parse(JSON.stringify(receiver).replace(/secret-\d/g, mask));

test("secrets are answered masked by every operation, URLs in clear", async () => {
  const client = await start();
  for (const [slug, receiver] of Object.entries(receivers)) {
    const notifier = { name: slug, slug, ...receiver };
    expect((await client.post("/notifiers", { notifier })).body.notifier).toMatchObject(hidden(receiver));
    expect((await client.get(`/notifiers/${slug}`)).body.notifier).toMatchObject(hidden(receiver));
    expect((await client.put(`/notifiers/${slug}`, { notifier })).body.notifier).toMatchObject(hidden(receiver));
  }
  expect(JSON.stringify((await client.get("/notifiers")).body)).not.toContain("secret-");
});

describe("a mask sent back", () => {
  const put = (client: Client, oncall_b: object) => client.put("/notifiers/b", { notifier: { name: "b", oncall_b } });
  const shown = async (client: Client) => (await client.get("/notifiers/b")).body.notifier.oncall_b;

  test("keeps the stored value, beside a new one", async () => {
    const client = await start({ showSecrets: true });
    await fill(client);
    expect((await put(client, { routing_key: mask, http_config: { bearer_token: "new" } })).status).toBe(200);
    expect(await shown(client)).toEqual({ routing_key: "secret-3", http_config: { bearer_token: "new" } });
  });

  test("is refused where nothing is stored, by path, in a dry run too", async () => {
    const client = await start();
    const message = `no value is stored for the mask "${mask}"; send the value`;
    const notifier = { name: "n", slug: "n", oncall_b: { routing_key: mask, http_config: { bearer_token: mask } } };
    const problems = [`oncall_b.routing_key: ${message}`, `oncall_b.http_config.bearer_token: ${message}`].sort();
    for (const dry_run of [true, false]) {
      const posted = await client.post("/notifiers", { notifier, dry_run });
      expect([posted.status, posted.body.code, [...problemsOf(posted)].sort()]).toEqual([400, 400008, problems]);
      const made = await client.put("/notifiers/n", { notifier, dry_run, create_if_missing: true });
      expect([...problemsOf(made)].sort()).toEqual(problems);
    }
    await fill(client);
    await put(client, { service_key: "only" });
    expect(problemsOf(await put(client, { routing_key: mask }))).toEqual([`oncall_b.routing_key: ${message}`]);
  });

  test("does not keep what was left out", async () => {
    const client = await start({ showSecrets: true });
    await fill(client);
    await put(client, { routing_key: mask, service_key: "" });
    expect(await shown(client)).toEqual({ routing_key: "secret-3", service_key: "" });
  });
});

test("no file of the service holds a secret, a URL that carries credentials or a token in clear", async () => {
  const path = ownFolder();
  const client = await start({ database: join(path, "s.db"), token: "secret-9" });
  const http_config = { proxy_url: "http://secret-url-1" };
  const sent = [
    { name: "url", slug: "url", webhook: { url: "https://secret-url-2", http_config } },
    { name: "api", slug: "api", chat: { api_url: "https://secret-url-3", title_link: "https://open" } },
  ];
  for (const notifier of sent) {
    expect((await client.post("/notifiers", { notifier })).body.notifier).toMatchObject(notifier);
    expect((await client.get(`/notifiers/${notifier.slug}`)).body.notifier).toMatchObject(notifier);
  }
  await fill(client);
  const inFiles = (text: string) => readdirSync(path).filter((file) => readFileSync(join(path, file)).includes(text));
  expect(readdirSync(path)).toContain("s.db-wal");
  expect(inFiles("secret-")).toEqual([]);
  await client.service.close();
  expect([inFiles("secret-"), inFiles("https://open")]).toEqual([[], ["s.db"]]);
});
