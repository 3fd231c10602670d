import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.js";
import type { Json } from "./json.js";

/** Reads a JSON body of at most `limit` bytes. */
export async function readJson(request: IncomingMessage, limit: number): Promise<Json> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError(
      "unsupportedMediaType",
      `expected Content-Type application/json, got ${type === "" ? "none" : `"${type}"`}`,
    );
  }
  if (encoding !== "identity")
    throw new ApiError("unsupportedMediaType", `expected no Content-Encoding, got "${encoding}"`);
  const text = await readText(request, limit);
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The parser's own message would quote the text around the mistake, which may be a secret.
    throw new ApiError("invalid", text.trim() === "" ? "the body is empty, expected JSON" : "the body is not JSON");
  }
}

async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => new ApiError("tooLarge", `the body has more than ${limit} bytes`);
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The request is not destroyed, so that a refusal can still be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch {
    throw new ApiError("invalid", "the body ended early");
  }
  if (size > limit) throw tooLarge();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ApiError("invalid", "the body is not UTF-8");
  }
}
