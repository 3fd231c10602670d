import { bodyLimit } from "hono/body-limit";
import type { Call } from "./app.js";
import { ApiError } from "./errors.js";
import type { Json } from "./json.js";

/** Reads JSON bodies of at most `maxSize` bytes. */
export function bodyReader(maxSize: number): (c: Call) => Promise<Json> {
  const onError = () => {
    throw new ApiError("tooLarge", `the body has more than ${maxSize} bytes`);
  };
  const limit = bodyLimit({ maxSize, onError });
  return async (c) => {
    const {
      "content-type": type,
      "content-encoding": encoding = "identity",
      "content-length": length,
    } = c.env.incoming.headers;
    if (!/^application\/json\s*(;|$)/i.test(type ?? "")) {
      const got = type === undefined ? "none" : `"${type}"`;
      throw new ApiError("unsupportedMediaType", `expected Content-Type application/json, got ${got}`);
    }
    if (encoding !== "identity")
      throw new ApiError("unsupportedMediaType", `expected no Content-Encoding, got "${encoding}"`);
    if (Number(length) > maxSize) onError();
    // Costs a fifth of a dry run, so only if the length is not announced.
    if (length === undefined) await limit(c, async () => {});
    const text = decoded(await c.req.arrayBuffer().catch(endedEarly));
    try {
      return JSON.parse(text) as Json;
    } catch {
      // The parser's own message would quote the text around the mistake, which may be a secret.
      throw new ApiError("invalid", text.trim() === "" ? "the body is empty, expected JSON" : "the body is not JSON");
    }
  };
}

function endedEarly(): never {
  throw new ApiError("invalid", "the body ended early");
}

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("invalid", "the body is not UTF-8");
  }
}
