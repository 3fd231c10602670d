// Applies the rules of one file, in its own process: the code of the file may do anything.
import { setTimeout } from "node:timers/promises";
import { reasonOf } from "../../output/output";
import { quote } from "../../output/words";
import { type Measurable, measure, type Measured } from "../../review/measure";
import type { ReviewNote, RuleOf } from "../../review/review";
import { loadStandards } from "./standards";

export interface StandardsJob {
  readonly file: string;
  readonly stacks: readonly Measurable[];
}

/** The result of a file's rules for one stack: what they found, or only why they could not be applied. */
export type Applied = Partial<Measured>;

/** The rule that is applied next, the result for the next stack, or the end. */
export type StandardsMessage = RuleOf | Applied | { readonly done: true };

/** Only this file sends: a message of the user's file must not pass for a result. */
const post = process.send?.bind(process);
delete process.send;

/** Waits until a message is sent: the next rule may end or block this process. */
const send = (message: StandardsMessage) =>
  new Promise<void>((sent) => post?.(message, undefined, undefined, () => sent()));

async function apply({ file, stacks }: StandardsJob): Promise<void> {
  const standards = await loadStandards(file);
  const inFile = (note: ReviewNote) => ({ ...note, text: `${note.text} (${file})` });
  for (const stack of stacks) {
    const measured = await measure(stack, standards, send).then(
      (found) => ({ ...found, failures: found.failures.map(inFile) }),
      (error: unknown) => ({ failures: [{ text: `the standards in ${quote(file)} failed: ${reasonOf(error)}` }] }),
    );
    await send(measured);
  }
}

process.once("message", async (job: StandardsJob) => {
  await apply(job).catch((error: unknown) => {
    const text = `the standards in ${quote(job.file)} were not checked: ${reasonOf(error)}`;
    return Promise.all(job.stacks.map(() => send({ failures: [{ text }] })));
  });
  // An unhandled rejection of a rule ends this process, and must do so before the end is reported.
  await setTimeout(20);
  await send({ done: true });
});
