import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.js";
import type { Json } from "./json.js";

// In bytes.
const maxSize = 262_144;

/** Reads a JSON body. */
export async function readBody(incoming: IncomingMessage): Promise<Json> {
  const { "content-type": type, "content-encoding": encoding = "identity" } = incoming.headers;
  if (!/^application\/json\s*(;|$)/i.test(type ?? "")) {
    const got = type === undefined ? "none" : `"${type}"`;
    throw new ApiError("unsupportedMediaType", `expected Content-Type application/json, got ${got}`);
  }
  if (encoding !== "identity")
    throw new ApiError("unsupportedMediaType", `expected no Content-Encoding, got "${encoding}"`);
  const text = decoded(await bytesOf(incoming));
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The parser's own message would quote the text around the mistake, which may be a secret.
    throw new ApiError("invalid", text.trim() === "" ? "the body is empty, expected JSON" : "the body is not JSON");
  }
}

/** The whole body, announced or in chunks. Hono's own limit cannot read chunks without the host's Request replaced. */
async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new ApiError("tooLarge", `the body has more than ${maxSize} bytes`);
  if (Number(incoming.headers["content-length"]) > maxSize) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A rejection is answered over this connection, so it stays open.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxSize) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError("invalid", "the body ended early");
  }
  return Buffer.concat(chunks);
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("invalid", "the body is not UTF-8");
  }
}
