import { parentPort } from "node:worker_threads";
import { entries, items } from "../../provider/wire/json";
import { parseAnswer } from "./answerJson";

// A thread of `parseInThread`: it answers the bytes of each message.
parentPort?.on("message", (bytes: Uint8Array) => {
  try {
    const answer = parseAnswer(Buffer.from(bytes.buffer));
    const samples = items(entries(entries(answer).data).result).map((series) => entries(series).values);
    const moved = samples.flatMap((values) => (values instanceof Float64Array ? [values.buffer as ArrayBuffer] : []));
    parentPort?.postMessage(answer, moved);
  } catch (error) {
    parentPort?.postMessage(error);
  }
});
