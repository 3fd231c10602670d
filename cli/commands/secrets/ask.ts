import { CommandError } from "../../report/output";

const [interrupt, end, backspace, rubout] = ["\u0003", "\u0004", "\b", "\u007f"];

/** Prompts for a line on the terminal without showing it. */
export function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setEncoding("utf8").setRawMode(true).resume();
  return new Promise((done, fail) => {
    let line = "";
    const stop = () => {
      stdin.off("data", take).setRawMode(false).pause();
      stderr.write("\n");
    };
    const take = (typed: string) => {
      for (const [i, character] of [...typed].entries()) {
        if (character === interrupt || character === end) {
          stop();
          fail(new CommandError("interrupted; the secrets that you entered before are set"));
          return;
        }
        if (character === "\r" || character === "\n") {
          stop();
          // Further pasted lines answer the next prompts.
          const rest = [...typed].slice(i + 1).join("");
          if (rest !== "") stdin.unshift(rest);
          done(line);
          return;
        }
        line = character === backspace || character === rubout ? line.slice(0, -1) : line + character;
      }
    };
    stdin.on("data", take);
  });
}
