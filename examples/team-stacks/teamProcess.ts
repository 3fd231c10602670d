// One operation on one team's stack, in a process of its own: the Pulumi SDK tells what one program throws to every
// stack of its process, so that in a common process one team's mistake would fail all teams.
import { secretFrom, strike, tokenVariable } from "./secrets";
import { configure, openStack } from "./stack";
import { loadTeam } from "./team";
import type { Message, Operation } from "./teamRun";
import { Watch, wordsOf } from "./watch";

const cancelling = new AbortController();
let interrupted = false;
const cancel = () => {
  interrupted = true;
  cancelling.abort();
};
process.on("SIGTERM", cancel);
// The parent is gone.
process.on("disconnect", cancel);
// A terminal's Ctrl-C reaches the CLI as well, which cancels in order; its end is ours.
process.on("SIGINT", () => {
  interrupted = true;
});

async function operate(name: string, operation: Operation): Promise<Message> {
  const watch = new Watch((line) => process.send?.({ line: strike(line) } satisfies Message));
  let failure: string | undefined;
  try {
    const team = loadTeam(name);
    const apiToken = secretFrom(tokenVariable(name));
    const stack = await openStack(name, team, (error) => watch.fail(wordsOf(error)));
    // An update follows its preview.
    if (operation !== "up") await configure(stack, team, apiToken);
    await stack[operation]({ onEvent: (event) => watch.see(event), signal: cancelling.signal });
  } catch (error) {
    // What the engine named is clearer than how its command failed.
    if (watch.reason === undefined) watch.fail(interrupted ? "interrupted" : wordsOf(error));
    failure = strike(watch.reason ?? "");
  }
  return { counts: watch.counts, failure };
}

const [, , name = "", operation = ""] = process.argv;
// The parent passes one of the operations.
operate(name, operation as Operation).then((message) => {
  // A program may have left something running; its process ends all the same.
  process.send?.(message, () => process.exit(0));
});
