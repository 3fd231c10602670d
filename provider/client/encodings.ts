import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { longestAnswerBytes } from "./connection";

type Answer = Pick<Dispatcher.ResponseData, "headers">;

const ofZip = promisify(unzip);
/** By the name in `Content-Encoding`. A service may use them without being asked. */
const decoders: Readonly<Record<string, typeof ofZip>> = {
  gzip: ofZip,
  "x-gzip": ofZip,
  deflate: ofZip,
  br: promisify(brotliDecompress),
};

const encodingOf = ({ headers }: Answer) => String(headers["content-encoding"] ?? "identity").toLowerCase();

/** The encoding of an answer, if it can't be decoded. */
export function strangeEncoding(answer: Answer): string | undefined {
  const encoding = encodingOf(answer);
  return encoding === "identity" || Object.hasOwn(decoders, encoding) ? undefined : encoding;
}

/** @throws if the bytes are damaged, or too many. Bytes in a strange encoding are returned as they are. */
export async function decoded(bytes: Buffer, answer: Answer): Promise<string> {
  const decode = bytes.length === 0 ? undefined : decoders[encodingOf(answer)];
  // Also drops a byte order mark.
  return new TextDecoder().decode((await decode?.(bytes, { maxOutputLength: longestAnswerBytes })) ?? bytes);
}
