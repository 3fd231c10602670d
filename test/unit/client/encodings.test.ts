import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Client } from "../../../dist/provider/client/client.js";
import { caseOf } from "../../support/cases.js";
import { listen } from "../../support/http.js";
import { token } from "../../support/service.js";
import { settingsFor } from "../../support/settings.js";

const { update } = caseOf("Notifier").kind.operations;
const body = { notifier: { slug: "pager", name: "ключ" } };

/** The headers of every write. */
const usual = {
  "api-token": token,
  accept: "application/json",
  "accept-encoding": "identity",
  "cache-control": "no-cache",
  "content-type": "application/json",
  "user-agent": expect.stringMatching(/^pulumi-observability\//),
};

/** Sends a write to a service that answers in an encoding that was not asked for. */
async function answered(encoding: string, bytes: Buffer, status = 200) {
  const asked: unknown[] = [];
  const url = await listen(({ headers }, response) => {
    asked.push(headers);
    response.writeHead(status, { "content-type": "application/json", "content-encoding": encoding }).end(bytes);
  });
  const client = new Client(settingsFor(url, { requestTimeoutSecs: 5, retryBudgetSecs: 1 }));
  const answer = client.send({ operation: update, path: "/one", body });
  return answer.finally(() => expect(asked).toMatchObject([usual]));
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

test.each<[string, (bytes: Buffer) => Buffer]>([
  ["gzip", gzipSync],
  ["X-GZIP", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["identity", (bytes) => bytes],
])("an answer in the encoding %s is read, and so is an error or nothing in it", async (encoding, encode) => {
  expect((await answered(encoding, encode(json(body)))).body).toEqual(body);
  expect((await answered(encoding, Buffer.alloc(0))).hasObject).toBe(false);
  await expect(answered(encoding, encode(json({ code: 3, message: "no" })), 400)).rejects.toThrow("answered 400: no");
});

test("an answer in another encoding is an error that names it", async () => {
  const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const words = 'answered 200 with application/json in the unknown encoding "zstd" instead of a JSON object';
  await expect(answered("zstd", bytes)).rejects.toThrow(words);
});

test("an answer that is cut in its encoding, or that is too long once decoded, counts as interrupted", async () => {
  await expect(answered("gzip", gzipSync(json(body)).subarray(0, 20))).rejects.toThrow("was interrupted: ");
  const bomb = Buffer.concat(Array<Buffer>(5).fill(gzipSync(Buffer.alloc(64 * 1024 * 1024, " "))));
  await expect(answered("gzip", bomb)).rejects.toThrow("was interrupted: ");
});
