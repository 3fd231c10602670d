import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectDigest } from "../service/dist/store/rows.js";
import { closeSqlite, openSqlite } from "../service/dist/store/sqlite.js";
import { atMost } from "./result.mjs";
import { startService } from "./service.mjs";

const objects = 100_500;
const patterns = Array.from({ length: 300 }, (_, i) => `a{b=~"${"c{50}d?".repeat(14)}${i}"}`).join(" + ");
const longest = Array.from(
  { length: 900 },
  (_, i) => `sum by (a, b) (rate(metric_${i}{c="${"d".repeat(20)}"}[5m]))`,
).join(" or ");
const values = (/** @type {number} */ n, /** @type {number} */ length) =>
  Array.from({ length: n }, (_, i) => `${"x".repeat(length - 6)}${String(i).padStart(6, "0")}`);
const query = (/** @type {string} */ name, /** @type {readonly string[]} */ all) =>
  `?page.max_size=1000&${all.map((value) => `${name}=${value}`).join("&")}`;
const labels = values(1_500, 12).map((label) => label.replaceAll("-", "_"));
const matching = `a * on (${labels.join(", ")}) group_left (${labels.map((label) => `${label}_`).join(", ")}) b`;
const manyLabels = Object.fromEntries(values(50_000, 12).map((label) => [label, "v"]));
const condition = { series_conditions: { defaults: { critical: { conditions: [{ op: "GT" }] } } } };

const monitors = "/api/v1/config/monitors";
/** What costs the service most. @type {readonly (readonly [what: string, method: string, path: string, body?: object])[]} */
const requests = [
  ["a part that nothing has", "GET", `${monitors}${query("name_contains", ["none"])}`],
  ["20 parts of 200 characters that nothing has", "GET", `${monitors}${query("name_contains", values(20, 200))}`],
  ["a part that all have", "GET", `${monitors}${query("name_contains", ["name"])}`],
  ["5,000 values that nothing has", "GET", `${monitors}${query("bucket_slugs", values(5_000, 12))}`],
  ["4,000 values of two fields", "GET", `${monitors}${query("collection_slugs", values(4_000, 8))}`],
  ["5,000 slugs", "GET", `${monitors}${query("slugs", values(5_000, 12))}`],
  ["5,000 names", "GET", `${monitors}${query("names", values(5_000, 12))}`],
  ["a name that half of them have", "GET", `${monitors}${query("names", ["same%20name"])}`],
  [
    "that name, and a part that nothing has",
    "GET",
    `${monitors}${query("names", ["same%20name"])}&name_contains=${values(20, 200).join("&name_contains=")}`,
  ],
  ["values in bodies of 1 MB", "GET", `/api/v1/config/slos${query("collection_ref_slugs", ["none"])}`],
  [
    "a name that many have, and no slug",
    "POST",
    "/api/v1/config/monitors",
    { dry_run: true, monitor: { name: "m", label_query: "up", ...condition } },
  ],
  [
    "a long PromQL expression",
    "PUT",
    `${monitors}/a`,
    { dry_run: true, create_if_missing: true, monitor: { name: "n", label_query: longest, ...condition } },
  ],
  [
    "PromQL with large patterns",
    "PUT",
    `${monitors}/a`,
    { dry_run: true, create_if_missing: true, monitor: { name: "n", label_query: patterns, ...condition } },
  ],
  [
    "PromQL that matches by 3,000 labels",
    "PUT",
    `${monitors}/a`,
    { dry_run: true, create_if_missing: true, monitor: { name: "n", label_query: matching, ...condition } },
  ],
  [
    "50,000 labels",
    "PUT",
    `${monitors}/a`,
    {
      dry_run: true,
      create_if_missing: true,
      monitor: { name: "n", label_query: "up", labels: manyLabels, ...condition },
    },
  ],
];

/** Writes monitors, of which half have one name, and large SLOs. @param {string} database */
function fill(database) {
  const sqlite = openSqlite(database);
  const insert = sqlite.prepare("insert into objects values (?, ?, ?, ?, ?, ?, ?)");
  const time = "2026-01-01T00:00:00.000Z";
  /** @param {string} kind @param {string} slug @param {string} name @param {object} body */
  const put = (kind, slug, name, body) => {
    const text = JSON.stringify({ ...body, name, slug });
    const object = { kind, slug, name, body: text, created_at: time, updated_at: time };
    insert.run([...Object.values(object), objectDigest(object)]);
  };
  sqlite.exec("begin");
  for (let i = 0; i < objects; i++) {
    const name = i % 2 === 0 ? "same name" : `name ${i}`;
    const annotations = { text: "x".repeat(i % 50 === 0 ? 20_000 : 400) };
    const beside = { bucket_slug: `b${i % 100}`, collection: { slug: `c${i % 1_000}` }, annotations };
    put("Monitor", i === 0 ? "m" : `m-${i}`, name, { ...beside, label_query: "up", ...condition });
  }
  for (let i = 0; i < 200; i++) put("SLO", `s-${i}`, "large", { annotations: { text: "x".repeat(1_000_000) } });
  sqlite.exec("commit");
  closeSqlite(sqlite, database);
}

/**
 * Measures how long one request holds the event loop of a service with many objects, which keeps all others waiting.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function stall({ options: { rounds } }) {
  const folder = mkdtempSync(join(tmpdir(), "observability-stall-"));
  const database = join(folder, "full.db");
  fill(database);
  const service = await startService({ database });
  try {
    /** @type {string[]} */
    const lines = [];
    let longest = 0;
    for (const [what, method, path, body] of requests) {
      let [held, took] = [0, 0];
      for (let round = 0; round < rounds; round++) {
        await service.takeStall();
        const started = performance.now();
        // Refused or not: what counts is the time.
        await service.ask(method, path, body).catch(() => undefined);
        took = Math.max(took, performance.now() - started);
        held = Math.max(held, await service.takeStall());
      }
      longest = Math.max(longest, held);
      lines.push(`${what}: the loop was held for ${held.toFixed(0)} ms, the answer took ${took.toFixed(0)} ms`);
    }
    return {
      rows: [atMost("longest stall of a service with 100,500 monitors, in ms", longest, 200)],
      tables: [lines.join("\n")],
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}
