import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Limiter } from "../../provider/client/limiter";
import { parseAnswer } from "./answerJson";

/** Two read as fast as the main thread simulates. More would only need more memory. */
export const mostThreads = Math.min(2, availableParallelism());
/** A thread takes longer to start than to read less. */
const smallest = 2_000_000;

const limiter = new Limiter(mostThreads);
const idle: Worker[] = [];

/** Parses as `parseAnswer`, a large answer in another thread: its bytes are moved there. */
export async function parseInThread(bytes: Buffer): Promise<unknown> {
  if (bytes.length < smallest) return parseAnswer(bytes);
  return limiter.during(async () => {
    const worker = idle.pop() ?? new Worker(join(__dirname, "answerThread.js"));
    worker.ref();
    worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]); // So many bytes are never in the buffer that small ones share.
    const [answer] = (await once(worker, "message")) as [unknown];
    // Idle threads don't keep the process alive.
    worker.unref();
    idle.push(worker);
    if (answer instanceof Error) throw answer;
    return answer;
  });
}
